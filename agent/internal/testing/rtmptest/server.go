// Package rtmptest is a simulated RTMP server for tests of publishers and viewers.
package rtmptest

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"

	"fullhouse/agent/internal/rtmp"
)

// Reply responds to a command in the server's place when it returns true; closing the socket is a response too.
type Reply func(c *Client, name string) bool

// Server accepts everything unless its Reply does otherwise, and records what it receives.
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
	// To is the command being responded to.
	To      rtmp.Command
	chunks  *rtmp.ChunkReader
	writing sync.Mutex
}

// Start starts to serve on loopback; the test's end stops it.
func Start(t testing.TB, reply Reply) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return StartOn(t, listener, reply)
}

// StartOn serves the connections of a listener, such as TLS.
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
		for _, c := range s.clients { // of a test that failed early
			_ = c.Close()
		}
		s.mutex.Unlock()
		s.ended.Wait()
	})
	return s
}

// Address is where the stream "cam" is published and pulled, with a key.
func (s *Server) Address() rtmp.Address {
	return rtmp.Address{Host: s.listener.Addr().String(), App: "live", Stream: "cam?key=secret"}
}

// Stop ends the server once its clients have disconnected, so that everything they sent has been read.
func (s *Server) Stop() { _ = s.listener.Close(); s.ended.Wait() }

func (s *Server) serve(c *Client) {
	defer c.Close()
	hello := make([]byte, 1+rtmp.HandshakeBytes)
	if _, err := io.ReadFull(c, hello); err != nil {
		return
	}
	answer := append(append([]byte{rtmp.Version}, make([]byte, rtmp.HandshakeBytes)...), hello[1:]...)
	answer[9] = 42 // must be returned
	if _, err := c.Write(answer); err != nil {
		return
	}
	echo := make([]byte, rtmp.HandshakeBytes)
	if _, err := io.ReadFull(c, echo); err != nil {
		return
	}
	if echo[8] != 42 {
		s.t.Errorf("the handshake was returned as % x…", echo[:10])
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
			s.t.Errorf("not a command: % x", m.Payload)
			return
		}
		s.mutex.Lock()
		s.commands = append(s.commands, command)
		s.mutex.Unlock()
		c.To = command
		if s.reply == nil || !s.reply(c, command.Name) {
			c.Accept()
		}
	}
}

// Accept accepts the command in To.
func (c *Client) Accept() {
	switch c.To.Name {
	case "connect":
		c.Say(rtmp.TypeWindowAckSize, 0, binary.BigEndian.AppendUint32(nil, 1000))
		c.Say(rtmp.TypeSetChunkSize, 0, binary.BigEndian.AppendUint32(nil, 50))
		c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "_result", c.To.Transaction, rtmp.Object{"fmsVer": "FMS/3,0"}, rtmp.Object{"level": "status", "code": "NetConnection.Connect.Success"}))
	case "FCPublish": // as a server that does not support it
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

// Status sends onStatus.
func (c *Client) Status(level, code, description string) {
	c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "onStatus", 0.0, nil, rtmp.Object{"level": level, "code": code, "description": description}))
}

// Say sends a message on its own chunk stream; chunkSize 0 is the first one.
func (c *Client) Say(kind byte, chunkSize int, payload []byte) {
	if chunkSize == 0 {
		chunkSize = rtmp.FirstChunkSize
	}
	c.Send(5, rtmp.Message{Kind: kind, Payload: payload}, chunkSize)
}

// Send sends a message; a closed client is ignored.
func (c *Client) Send(chunkStream byte, m rtmp.Message, chunkSize int) {
	c.Raw(rtmp.AppendChunks(nil, chunkStream, m, chunkSize))
}

// Raw sends raw bytes.
func (c *Client) Raw(data []byte) {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, _ = c.Write(data) // the client's last data is still to be read
}

// Names are those of the commands so far.
func (s *Server) Names() []string {
	var names []string
	for _, c := range s.Commands() {
		names = append(names, c.Name)
	}
	return names
}

// Commands are those received so far.
func (s *Server) Commands() []rtmp.Command {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]rtmp.Command(nil), s.commands...)
}

// MessagesOfKind are the messages of a kind so far.
func (s *Server) MessagesOfKind(kind byte) []rtmp.Message {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var messages []rtmp.Message
	for _, m := range s.messages {
		if m.Kind == kind {
			messages = append(messages, m)
		}
	}
	return messages
}
