// Package wcs is a viewer's signalling at a Flashphoner Web Call Server: JSON over WebSocket, one connection for each
// viewer, as the vendor's web client does. The offer is sent as it is, and the answer is complete, since neither side
// sends candidates later. The rest is the same as in WHEP.
package wcs

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/whep"
)

// sendTimeout is how long sending a message may take.
const sendTimeout = 5 * time.Second

// Signallers are the signallers of the viewers of one stream.
type Signallers struct {
	client *signalling.Client
	server *url.URL
	stream string
}

// NewSignallers makes signallers for the viewers of a stream; the address of the server is http or https.
func NewSignallers(client *signalling.Client, server *url.URL, stream string) *Signallers {
	return &Signallers{client: client, server: server, stream: stream}
}

// Next is the signaller of the next viewer.
func (d *Signallers) Next() whep.Signaller {
	return &session{signallers: d, id: uuid.NewString(), settled: make(chan struct{}), received: make(chan struct{})}
}

// step is what the viewer waits for next.
type step int

const (
	greeting step = iota
	offering
	answered
	ended
)

// session is one viewer's session.
type session struct {
	signallers *Signallers
	id         string // the media session's
	handler    whep.SessionHandler
	offer      string
	connection *websocket.Conn
	received   chan struct{} // closed when nothing more is received from the server

	mutex         sync.Mutex
	step          step
	answer        string
	problem       *failure.Failure
	settled       chan struct{} // closed on an answer or a problem
	isStopped     bool          // by the server
	disconnecting bool
}

// Exchange connects, and exchanges the offer.
func (s *session) Exchange(ctx context.Context, offer string, handler whep.SessionHandler) (string, *failure.Failure) {
	s.offer, s.handler = offer, handler
	startTime := time.Now()
	connection, f := s.signallers.client.OpenWebSocket(ctx, s.signallers.server, "")
	if f != nil {
		return "", f
	}
	s.mutex.Lock()
	s.connection = connection
	s.mutex.Unlock()
	go s.listen()
	s.send(connectionRequest())
	select {
	case <-s.settled:
	case <-ctx.Done():
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	host := s.signallers.server.Host
	switch {
	case s.problem != nil:
		return "", s.problem
	case s.answer != "":
		return s.answer, nil
	case errors.Is(ctx.Err(), context.Canceled):
		return "", failure.New(failure.Signalling, protocol.CauseCancelled, "The offer was cancelled after %s.", failure.Elapsed(startTime))
	case s.step == greeting:
		return "", failure.New(failure.Signalling, protocol.CauseTimeout, "%s accepted the WebSocket, but sent no greeting within %s; check that it is the port for web clients, usually 8080.", host, failure.Elapsed(startTime))
	}
	return "", failure.New(failure.Signalling, protocol.CauseTimeout, "%s did not answer the offer within %s; it may be out of CPU or media ports.", host, failure.Elapsed(startTime))
}

// listen handles the server's messages until the connection ends.
func (s *session) listen() {
	defer close(s.received)
	for {
		kind, data, err := s.connection.Read(context.Background())
		if err != nil {
			s.end(protocol.CauseClosed, "%s closed the connection of the signalling.", s.signallers.server.Host)
			_ = s.connection.CloseNow()
			return
		}
		if kind != websocket.MessageText {
			continue
		}
		message, err := parse(data)
		if err != nil {
			s.end(protocol.CauseNotWCS, "%s sent a message that is not of WCS: %v.", s.signallers.server.Host, err)
			_ = s.connection.CloseNow()
			return
		}
		s.take(message)
	}
}

// take handles a message of the server.
func (s *session) take(message message) {
	switch message.name {
	case "ping":
		s.send(pongRequest())
	case "getUserData":
		s.mutex.Lock()
		isFirst := s.step == greeting
		offer := s.offer
		s.step, s.offer = max(s.step, offering), ""
		s.mutex.Unlock()
		if isFirst {
			s.send(streamRequest("playStream", s.id, s.signallers.stream, offer))
		}
	case "setRemoteSDP":
		id, answer := message.remoteSDP()
		s.mutex.Lock()
		if id == s.id && answer != "" && s.step == offering {
			s.step, s.answer = answered, answer
			close(s.settled)
		}
		s.mutex.Unlock()
	case "notifyStreamStatusEvent", "fail":
		if status := message.status(); status.id == s.id && status.isOver() {
			s.stop(status)
		}
	}
}

// stop ends the session by the server's status.
func (s *session) stop(status streamStatus) {
	s.mutex.Lock()
	s.isStopped = true
	s.mutex.Unlock()
	host, words := s.signallers.server.Host, failure.Excerpt(status.words())
	switch status.cause() {
	case protocol.CauseNotFound:
		s.end(protocol.CauseNotFound, "%s reports that the stream does not exist (%s).", host, words)
	case protocol.CauseUnpublished:
		s.end(protocol.CauseUnpublished, "%s ended the stream (%s).", host, words)
	default:
		s.end(protocol.CauseRejected, "%s ended the session: %s.", host, words)
	}
}

// end reports to the viewer that the server ended its session.
func (s *session) end(cause protocol.Cause, format string, arguments ...any) {
	s.mutex.Lock()
	wasAnswered := s.step == answered
	stage := failure.Signalling
	if wasAnswered {
		stage = failure.Media
	}
	f := failure.New(stage, cause, format, arguments...)
	isLate := s.disconnecting || s.step == ended
	s.step = ended
	if !isLate && !wasAnswered {
		s.problem = f
		close(s.settled)
	}
	s.mutex.Unlock()
	if !isLate && wasAnswered {
		s.handler.OnClosed(f)
	}
}

// send leaves it to the reader to notice a closed connection.
func (s *session) send(data []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
	defer cancel()
	_ = s.connection.Write(ctx, websocket.MessageText, data)
}

// Disconnect stops the stream, and closes the connection, which ends the session too.
func (s *session) Disconnect(_ context.Context, force bool) error {
	s.mutex.Lock()
	connection, isOpen := s.connection, s.step < ended && !s.isStopped
	s.disconnecting = true
	s.mutex.Unlock()
	if connection == nil {
		return nil
	}
	if !force && isOpen {
		s.send(streamRequest("stopStream", s.id, s.signallers.stream, ""))
		_ = connection.Close(websocket.StatusNormalClosure, "") // waits for the server's part; the session is over in any case
	}
	_ = connection.CloseNow() // it may be closed already
	<-s.received
	return nil
}
