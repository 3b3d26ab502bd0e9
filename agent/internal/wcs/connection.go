package wcs

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
)

const (
	// pingInterval is between two pings (RFC 6455, 5.5.2) of a connection, whose response is the round trip.
	pingInterval = 5 * time.Second
	// pingTimeout is how long a response may take before the connection counts as lost.
	pingTimeout = 10 * time.Second
)

// Connections are viewers without media: each is a session of WCS, with its WebSocket connection only.
type Connections struct {
	client       *signalling.Client
	server       *url.URL
	stageTimeout time.Duration
}

// NewConnections makes viewers without media; the address of the server is http or https.
func NewConnections(client *signalling.Client, server *url.URL, stageTimeout time.Duration) *Connections {
	return &Connections{client: client, server: server, stageTimeout: stageTimeout}
}

// New makes a viewer; it does nothing yet.
func (c *Connections) New() viewer.Viewer {
	return &connection{group: c, received: make(chan struct{})}
}

// Tick does nothing: each connection has its own pings.
func (c *Connections) Tick(time.Time) {}

// connection is one session without media.
type connection struct {
	group    *Connections
	socket   *websocket.Conn
	received chan struct{} // closed when nothing more is received
	pings    sync.WaitGroup

	mutex                      sync.Mutex
	opened                     signalling.Opened
	establishedAt              int64
	established                chan struct{}
	messages, bytes            uint64
	pingedAt, roundTripNs      int64
	isPinging, isDisconnecting bool
	failure                    *failure.Failure
}

// Connect opens the connection, and waits until the server has established the session.
func (v *connection) Connect(ctx, _ context.Context) *failure.Failure {
	ctx, cancel := context.WithTimeout(ctx, v.group.stageTimeout)
	defer cancel()
	startTime := time.Now()
	var opening signalling.Opening
	socket, f := v.group.client.OpenWebSocket(opening.In(ctx), v.group.server, "")
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if f != nil {
		v.fail(f)
		return f
	}
	v.socket, v.opened, v.established = socket, opening.Opened(), make(chan struct{})
	established := v.established
	v.mutex.Unlock()
	go v.listen()
	v.send(connectionRequest())
	select {
	case <-established:
	case <-v.received:
	case <-ctx.Done():
	}
	v.mutex.Lock()
	if v.establishedAt == 0 && v.failure == nil {
		v.fail(failure.New(failure.Signalling, protocol.CauseTimeout, "%s accepted the WebSocket, but sent no greeting within %s; check that it is the port for web clients, usually 8080.", v.group.server.Host, failure.Elapsed(startTime)))
	}
	return v.failure
}

// fail keeps the first failure. The caller holds the mutex.
func (v *connection) fail(f *failure.Failure) {
	if v.failure == nil && !v.isDisconnecting {
		v.failure = f
	}
}

// lose records why the connection ended.
func (v *connection) lose(cause protocol.Cause, format string, arguments ...any) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.fail(failure.New(failure.Signalling, cause, format, arguments...))
}

// listen handles the server's messages until the connection ends.
func (v *connection) listen() {
	defer close(v.received)
	host := v.group.server.Host
	for {
		kind, data, err := v.socket.Read(context.Background())
		if err != nil {
			v.lose(protocol.CauseClosed, "%s closed the connection of the signalling.", host)
			_ = v.socket.CloseNow() // it is closed already
			return
		}
		if kind != websocket.MessageText {
			continue
		}
		message, err := parse(data)
		if err != nil {
			v.lose(protocol.CauseNotWCS, "%s sent a message that is not of WCS: %v.", host, err)
			_ = v.socket.CloseNow()
			return
		}
		v.take(message, len(data))
	}
}

func (v *connection) take(message message, size int) {
	v.mutex.Lock()
	v.messages++
	v.bytes += uint64(size)
	if message.name == "getUserData" && v.establishedAt == 0 {
		v.establishedAt = monotonic.Nano()
		close(v.established)
	}
	v.mutex.Unlock()
	if message.name == "ping" {
		v.send(pongRequest())
	}
}

// send leaves it to the reader to notice a closed connection.
func (v *connection) send(data []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
	defer cancel()
	_ = v.socket.Write(ctx, websocket.MessageText, data)
}

// Tick pings when it is due, and returns the failure that ended the session.
func (v *connection) Tick(now time.Time) *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	isDue := v.establishedAt != 0 && !v.isPinging && now.UnixNano()-v.pingedAt >= int64(pingInterval)
	if isDue && v.failure == nil && !v.isDisconnecting {
		v.isPinging, v.pingedAt = true, now.UnixNano()
		v.pings.Add(1)
		go v.ping()
	}
	return v.failure
}

func (v *connection) ping() {
	defer v.pings.Done()
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	start := monotonic.Nano()
	err := v.socket.Ping(ctx)
	end := monotonic.Nano()
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.isPinging = false
	switch {
	case err == nil:
		v.roundTripNs = max(end-start, 1)
	case errors.Is(err, context.DeadlineExceeded):
		v.fail(failure.New(failure.Signalling, protocol.CauseSilent, "%s did not respond to a ping within %s; the connection is open.", v.group.server.Host, pingTimeout))
	}
}

// Disconnect closes the connection, which ends the session; with force without the closing frame.
func (v *connection) Disconnect(_ context.Context, force bool) error {
	v.mutex.Lock()
	socket, isOpen := v.socket, v.failure == nil
	v.isDisconnecting = true
	v.mutex.Unlock()
	if socket == nil {
		return nil
	}
	if !force && isOpen {
		_ = socket.Close(websocket.StatusNormalClosure, "") // the session is over in any case
	}
	_ = socket.CloseNow() // it may be closed already
	<-v.received
	v.pings.Wait()
	return nil
}

// Read returns the current figures: the session counts as connected since it was established.
func (v *connection) Read(time.Time) viewer.Reading {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return viewer.Reading{FirstPacketAt: v.establishedAt, Packets: v.messages, Bytes: v.bytes, RoundTripNs: v.roundTripNs, Failure: v.failure}
}

// ReadInterval is Read: there are no frames.
func (v *connection) ReadInterval(now time.Time) (viewer.Reading, int64) { return v.Read(now), 0 }

// Times are those of the steps to the session.
func (v *connection) Times() viewer.Times {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.times()
}

func (v *connection) times() viewer.Times {
	return viewer.Times{Name: v.opened.NameAt, TCP: v.opened.TCPAt, TLS: v.opened.TLSAt, FirstPacket: v.establishedAt}
}

// Detail has the steps to the session.
func (v *connection) Detail() viewer.Detail {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	protocol := "tcp"
	if v.group.server.Scheme == "https" {
		protocol = "tls"
	}
	return viewer.Detail{Times: v.times(),
		Route: viewer.Route{Protocol: protocol}}
}
