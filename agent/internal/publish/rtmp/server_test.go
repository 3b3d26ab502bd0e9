package rtmp

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
)

// server is a stand-in for an RTMP server: it takes one publisher at a time and says what the test wants.
type server struct {
	t        *testing.T
	listener net.Listener
	// reply answers a command in the server's place, when it returns true; closing the socket is an answer too.
	reply func(c *client, name string) bool
	ended sync.WaitGroup

	mutex    sync.Mutex
	messages []message
	commands []command
	clients  []*client
}

// client is a publisher as the server sees it.
type client struct {
	net.Conn
	chunks *chunkReader
}

func startServer(t *testing.T, reply func(c *client, name string) bool) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, listener: listener, reply: reply}
	s.ended.Add(1)
	go func() {
		defer s.ended.Done()
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			s.ended.Add(1)
			c := &client{Conn: socket}
			s.mutex.Lock()
			s.clients = append(s.clients, c)
			s.mutex.Unlock()
			go func() { defer s.ended.Done(); s.serve(c) }()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		s.mutex.Lock()
		for _, c := range s.clients { // of a test that failed before it left
			_ = c.Close()
		}
		s.mutex.Unlock()
		s.ended.Wait()
	})
	return s
}

func (s *server) address() Address {
	return Address{Host: s.listener.Addr().String(), App: "live", Stream: "cam?key=secret"}
}

func (s *server) serve(c *client) {
	defer c.Close()
	hello := make([]byte, 1+handshakeBytes)
	if _, err := io.ReadFull(c, hello); err != nil {
		return
	}
	answer := append(append([]byte{rtmpVersion}, make([]byte, handshakeBytes)...), hello[1:]...)
	answer[9] = 42 // must come back
	if _, err := c.Write(answer); err != nil {
		return
	}
	echo := make([]byte, handshakeBytes)
	if _, err := io.ReadFull(c, echo); err != nil || echo[8] != 42 {
		s.t.Errorf("the handshake came back as % x…, %v", echo[:10], err)
		return
	}
	c.chunks = newChunkReader(c)
	for {
		m, err := c.chunks.next()
		if err != nil {
			return
		}
		s.mutex.Lock()
		s.messages = append(s.messages, m)
		s.mutex.Unlock()
		if m.kind != typeCommand {
			continue
		}
		command, ok := readCommand(m.payload)
		if !ok {
			s.t.Errorf("no command: % x", m.payload)
			return
		}
		s.mutex.Lock()
		s.commands = append(s.commands, command)
		s.mutex.Unlock()
		if s.reply == nil || !s.reply(c, command.name) {
			s.answer(c, command)
		}
	}
}

// answer is what a server that likes its publisher says.
func (s *server) answer(c *client, to command) {
	switch to.name {
	case "connect":
		c.say(typeWindowAckSize, 0, binary.BigEndian.AppendUint32(nil, 1000))
		c.say(typeSetChunkSize, 0, binary.BigEndian.AppendUint32(nil, 50))
		c.say(typeCommand, 50, appendAMF(nil, "_result", to.transaction, object{"fmsVer": "FMS/3,0"}, object{"level": "status", "code": "NetConnection.Connect.Success"}))
	case "FCPublish": // a server that does not know it
		c.say(typeCommand, 50, appendAMF(nil, "_error", to.transaction, nil, object{"level": "error", "code": "NetConnection.Call.Failed"}))
	case "createStream":
		c.say(typeCommand, 50, appendAMF(nil, "_result", to.transaction, nil, 7.0))
	case "publish":
		c.say(typeCommand, 50, appendAMF(nil, "onStatus", 0.0, nil, object{"level": "status", "code": "NetStream.Publish.Start"}))
	}
}

// say sends a message; a publisher that has gone is no matter.
func (c *client) say(kind byte, chunkSize int, payload []byte) {
	if chunkSize == 0 {
		chunkSize = firstChunkSize
	}
	if _, err := c.Write(appendChunks(nil, 5, message{kind: kind, payload: payload}, chunkSize)); err != nil && !errors.Is(err, net.ErrClosed) {
		_ = c.Close()
	}
}

func (s *server) names() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var names []string
	for _, c := range s.commands {
		names = append(names, c.name)
	}
	return names
}

func (s *server) of(kind byte) []message {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var found []message
	for _, m := range s.messages {
		if m.kind == kind {
			found = append(found, m)
		}
	}
	return found
}
