package control

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/admission"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
)

const (
	// A peer that accepts no data for this long is gone, or was stopped; it may reconnect and resume.
	writeTimeout = 15 * time.Second
	replayBatch  = 64
	// errorProtocolMismatch also ends the connection.
	errorProtocolMismatch = "protocol-mismatch"
)

// connection is one engine. Only its writer writes to the socket, so that records follow the response to `hello` and
// nothing precedes it.
type connection struct {
	server *Server
	socket *websocket.Conn
	out    chan outgoing
	calls  sync.WaitGroup
}

// outgoing is a response; with a cursor it also starts the records after that sequence.
type outgoing struct {
	response protocol.AgentResponse
	cursor   *uint64
	end      bool
	sent     func() // called once the response is sent
}

// serveConnection serves a console; with a wanted proof only after its first frame was that.
func (s *Server) serveConnection(ctx context.Context, w http.ResponseWriter, r *http.Request, consoleProof string) {
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has responded to the client
	}
	s.connections.Add(1)
	defer s.connections.Done()
	defer socket.CloseNow()
	if consoleProof != "" && !s.proves(ctx, socket, consoleProof) || !admission.Admit(r.Context()) {
		_ = socket.Close(websocket.StatusPolicyViolation, "token") // the peer may be gone already
		return
	}
	socket.SetReadLimit(protocol.MaxFrameBytes)
	s.deadMansSwitch.reset()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &connection{server: s, socket: socket, out: make(chan outgoing, 16)}
	writerDone := make(chan struct{})
	go func() {
		defer close(writerDone)
		defer cancel()
		c.write(ctx)
	}()
	c.read(ctx)
	cancel()
	c.calls.Wait()
	<-writerDone
}

// proves reads the first frame of a console.
func (s *Server) proves(ctx context.Context, socket *websocket.Conn, consoleProof string) bool {
	ctx, cancel := context.WithTimeout(ctx, s.config.AdmissionTimeout)
	defer cancel()
	socket.SetReadLimit(maxHeaderBytes)
	_, data, err := socket.Read(ctx)
	var first struct{ Type, Proof string }
	return err == nil && json.Unmarshal(data, &first) == nil && first.Type == "proof" && isSame(first.Proof, consoleProof)
}

// read handles requests until the socket ends. A role's call runs concurrently, so that a long one does not delay a
// ping.
func (c *connection) read(ctx context.Context) {
	isOpen := false
	defer func() {
		if isOpen {
			c.server.consoles.Add(-1)
		}
	}()
	for {
		kind, data, err := c.socket.Read(ctx)
		if err != nil {
			return
		}
		c.server.deadMansSwitch.reset()
		var request protocol.Request
		if kind != websocket.MessageText || json.Unmarshal(data, &request) != nil || request.Type != "request" {
			c.answer(ctx, request.ID, nil, BadRequest("Only requests are accepted, as text frames with one JSON object each."))
			continue
		}
		if request.Call != "hello" && !isOpen {
			c.answer(ctx, request.ID, nil, BadRequest("The first call of a connection must be hello, not %q.", request.Call))
			continue
		}
		if request.Call == "hello" {
			isOpen = c.hello(ctx, request, isOpen) || isOpen
			continue
		}
		c.calls.Add(1)
		go func() {
			defer c.calls.Done()
			result, err := c.call(ctx, request)
			if request.Call == "shutdown" && err == nil {
				c.send(ctx, outgoing{response: protocol.AgentResponse{Type: "response", ID: request.ID, OK: true,
					Result: result}, sent: c.server.requestShutdown})
				return
			}
			c.answer(ctx, request.ID, result, err)
		}()
	}
}

// hello opens the connection; wasOpen: it has sent one before.
func (c *connection) hello(ctx context.Context, request protocol.Request, wasOpen bool) (isOpen bool) {
	var params protocol.HelloParams
	if err := DecodeParams(request.Params, &params); err != nil {
		c.answer(ctx, request.ID, nil, err)
		return false
	}
	s := c.server
	if params.Protocol != protocol.ProtocolVersion {
		refusal := Errorf(errorProtocolMismatch, "This agent (%s) supports protocol %d, the application %d. Use an agent and an application of the same release.",
			s.config.Version, protocol.ProtocolVersion, params.Protocol)
		c.send(ctx, outgoing{response: failure(request.ID, refusal), end: true})
		return false
	}
	oldest, latest := s.config.Records.Span()
	cursor := latest
	if params.ResumeAfter != nil {
		cursor = min(*params.ResumeAfter, latest) // beyond the latest: a sequence of another instance
	}
	if !wasOpen {
		s.consoles.Add(1)
	}
	consoles := uint64(s.consoles.Load())
	announcement := s.config.Role.Announcement()
	c.send(ctx, outgoing{cursor: &cursor,
		response: protocol.AgentResponse{Type: "response", ID: request.ID, OK: true, Result: protocol.HelloResult{
			Protocol: protocol.ProtocolVersion, Agent: s.config.Version, Role: s.config.Role.Name(), Instance: s.instance,
			PID: os.Getpid(), NowMs: monotonic.Now().UnixMilli(), OldestSequence: oldest, LatestSequence: latest, Host: s.host,
			Limits:    protocol.Limits{OpenFiles: s.config.OpenFiles, Viewers: announcement.Viewers},
			Protocols: announcement.Protocols, Publishes: announcement.Publishes, Reader: announcement.Reader,
			HTTP: announcement.HTTP, Consoles: &consoles, Unmeasured: announcement.Unmeasured}}})
	return true
}

func (c *connection) call(ctx context.Context, request protocol.Request) (any, error) {
	s := c.server
	switch request.Call {
	case "ping":
		return protocol.PingResult{NowMs: monotonic.Now().UnixMilli()}, DecodeParams(request.Params, &struct{}{})
	case "stop-all":
		var params protocol.StopAllParams
		if err := DecodeParams(request.Params, &params); err != nil {
			return nil, err
		}
		return protocol.Present{Present: s.config.Role.StopAll(params.Force)}, nil
	case "shutdown":
		return struct{}{}, DecodeParams(request.Params, &struct{}{})
	}
	return s.config.Role.Call(ctx, request.Call, request.Params)
}

func failure(id int64, err error) protocol.AgentResponse {
	var refusal *Error
	if !errors.As(err, &refusal) {
		refusal = Errorf("internal", "%v", err)
	}
	return protocol.AgentResponse{Type: "response", ID: id, Error: (*protocol.Error)(refusal)}
}

func (c *connection) answer(ctx context.Context, id int64, result any, err error) {
	response := protocol.AgentResponse{Type: "response", ID: id, OK: true, Result: result}
	if err != nil {
		response = failure(id, err)
	}
	c.send(ctx, outgoing{response: response})
}

func (c *connection) send(ctx context.Context, message outgoing) {
	select {
	case c.out <- message:
	case <-ctx.Done():
	}
}

// write sends responses and, after hello, records; it ends with the connection or when the peer accepts no more data.
func (c *connection) write(ctx context.Context) {
	var cursor uint64
	var more <-chan struct{} // nil until hello: nothing is sent before
	isOpen := false
	ending, ended := c.server.ending, false
	for {
		if isOpen {
			var batch [][]byte
			batch, cursor, more = c.server.config.Records.after(cursor, replayBatch)
			for _, encoded := range batch {
				if c.put(ctx, encoded) != nil {
					return
				}
			}
			if len(batch) == replayBatch {
				more = closedChannel // more may be pending already; responses still get their turn below
			} else if ended {
				_ = c.socket.Close(websocket.StatusGoingAway, "the agent exits") // the peer may be gone already
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-ending:
			if !isOpen {
				return
			}
			ending, ended = nil, true // one more round, for the last records
		case message := <-c.out:
			encoded, err := json.Marshal(message.response)
			if err != nil {
				encoded, _ = json.Marshal(failure(message.response.ID, err))
			}
			if c.put(ctx, encoded) != nil {
				return
			}
			if message.end {
				_ = c.socket.Close(websocket.StatusPolicyViolation, errorProtocolMismatch) // the peer may be gone already
				return
			}
			if message.sent != nil {
				message.sent()
			}
			if message.cursor != nil {
				cursor, isOpen = *message.cursor, true
			}
		}
	}
}

func (c *connection) put(ctx context.Context, frame []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return c.socket.Write(ctx, websocket.MessageText, frame)
}

var closedChannel = func() <-chan struct{} {
	channel := make(chan struct{})
	close(channel)
	return channel
}()
