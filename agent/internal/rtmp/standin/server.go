// Package standin is a stand-in for an RTMP server, for tests of those that publish and of those that play.
package standin

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"

	"fullhouse/agent/internal/rtmp"
)

// Reply answers a command in the server's place when it returns true; closing the socket is an answer too.
type Reply func(c *Client, name string) bool

// Server says yes to whatever it is asked, unless its Reply says otherwise, and keeps what it was told.
type Server struct {
	t        testing.TB
	listener net.Listener
	reply    Reply
	ended    sync.WaitGroup

	mutex    sync.Mutex
	messages []rtmp.Message
	commands []rtmp.Command
	clients  []*Client
}

// Client is a publisher or a viewer as the server sees it.
type Client struct {
	net.Conn
	// To is the command that is being answered.
	To      rtmp.Command
	chunks  *rtmp.ChunkReader
	writing sync.Mutex
}

// Start begins to serve on loopback; the test's end ends it.
func Start(t testing.TB, reply Reply) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return StartOn(t, listener, reply)
}

// StartOn serves what a listener accepts, such as TLS.
func StartOn(t testing.TB, listener net.Listener, reply Reply) *Server {
	s := &Server{t: t, listener: listener, reply: reply}
	s.ended.Add(1)
	go func() {
		defer s.ended.Done()
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			s.ended.Add(1)
			c := &Client{Conn: socket}
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

// Address is where it publishes and plays the stream "cam" with a key.
func (s *Server) Address() rtmp.Address {
	return rtmp.Address{Host: s.listener.Addr().String(), App: "live", Stream: "cam?key=secret"}
}

// Stop ends the server once its clients have gone, so that all they sent has been read.
func (s *Server) Stop() { _ = s.listener.Close(); s.ended.Wait() }

func (s *Server) serve(c *Client) {
	defer c.Close()
	hello := make([]byte, 1+rtmp.HandshakeBytes)
	if _, err := io.ReadFull(c, hello); err != nil {
		return
	}
	answer := append(append([]byte{rtmp.Version}, make([]byte, rtmp.HandshakeBytes)...), hello[1:]...)
	answer[9] = 42 // must come back
	if _, err := c.Write(answer); err != nil {
		return
	}
	echo := make([]byte, rtmp.HandshakeBytes)
	if _, err := io.ReadFull(c, echo); err != nil {
		return
	}
	if echo[8] != 42 {
		s.t.Errorf("the handshake came back as % x…", echo[:10])
		return
	}
	c.chunks = rtmp.NewChunkReader(c)
	for {
		m, err := c.chunks.Next()
		if err != nil {
			return
		}
		s.mutex.Lock()
		s.messages = append(s.messages, m)
		s.mutex.Unlock()
		if m.Kind != rtmp.TypeCommand {
			continue
		}
		command, ok := rtmp.ReadCommand(m.Payload)
		if !ok {
			s.t.Errorf("no command: % x", m.Payload)
			return
		}
		s.mutex.Lock()
		s.commands = append(s.commands, command)
		s.mutex.Unlock()
		c.To = command
		if s.reply == nil || !s.reply(c, command.Name) {
			c.Agree()
		}
	}
}

// Agree says what a server that likes its client says to the command in To.
func (c *Client) Agree() {
	switch c.To.Name {
	case "connect":
		c.Say(rtmp.TypeWindowAckSize, 0, binary.BigEndian.AppendUint32(nil, 1000))
		c.Say(rtmp.TypeSetChunkSize, 0, binary.BigEndian.AppendUint32(nil, 50))
		c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "_result", c.To.Transaction, rtmp.Object{"fmsVer": "FMS/3,0"}, rtmp.Object{"level": "status", "code": "NetConnection.Connect.Success"}))
	case "FCPublish": // a server that does not know it
		c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "_error", c.To.Transaction, nil, rtmp.Object{"level": "error", "code": "NetConnection.Call.Failed"}))
	case "createStream":
		c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "_result", c.To.Transaction, nil, 7.0))
	case "publish":
		c.Status("status", "NetStream.Publish.Start", "")
	case "play":
		c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventStreamBegin, 0, 0, 0, 7})
		c.Status("status", "NetStream.Play.Reset", "Playing and resetting")
		c.Status("status", "NetStream.Play.Start", "")
	}
}

// Status says onStatus.
func (c *Client) Status(level, code, description string) {
	c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "onStatus", 0.0, nil, rtmp.Object{"level": level, "code": code, "description": description}))
}

// Say sends a message on a chunk stream of its own; chunkSize 0 is the first one.
func (c *Client) Say(kind byte, chunkSize int, payload []byte) {
	if chunkSize == 0 {
		chunkSize = rtmp.FirstChunkSize
	}
	c.Send(5, rtmp.Message{Kind: kind, Payload: payload}, chunkSize)
}

// Send sends a message; a client that has gone is no matter.
func (c *Client) Send(chunkStream byte, m rtmp.Message, chunkSize int) {
	c.Raw(rtmp.AppendChunks(nil, chunkStream, m, chunkSize))
}

// Raw sends bytes as they are.
func (c *Client) Raw(data []byte) {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, _ = c.Write(data) // what the client said last is still to be read
}

// Names are those of the commands so far.
func (s *Server) Names() []string {
	var names []string
	for _, c := range s.Commands() {
		names = append(names, c.Name)
	}
	return names
}

// Commands are those that clients sent so far.
func (s *Server) Commands() []rtmp.Command {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]rtmp.Command(nil), s.commands...)
}

// Of are the messages of a kind so far.
func (s *Server) Of(kind byte) []rtmp.Message {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var found []rtmp.Message
	for _, m := range s.messages {
		if m.Kind == kind {
			found = append(found, m)
		}
	}
	return found
}
