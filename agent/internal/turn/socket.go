package turn

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/netip"
	"strconv"
	"sync"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/trust"
	"fullhouse/agent/internal/udpreader"
)

// connect opens the socket to the server.
func (a *Allocation) connect(ctx context.Context) *failure.Failure {
	if a.server.Transport != UDP {
		return a.connectStream(ctx)
	}
	addresses, f := a.server.Client.Resolve(ctx, a.server.Host)
	if f != nil {
		return staged(f)
	}
	port, _ := strconv.ParseUint(a.server.Port, 10, 16) // checked by ParseAddress
	a.at = netip.AddrPortFrom(addresses[0], uint16(port))
	socket, err := a.server.Loop.Open(a.at.Addr().Is6(), a)
	if err == nil {
		a.under = socket
		if err = socket.Connect(a.at); err == nil {
			return nil
		}
		_ = socket.Close() // the error of Connect is what counts
	}
	if f := failure.Local(failure.TURN, err); f != nil {
		return f
	}
	return failure.New(failure.TURN, protocol.CauseUnreachable, "%s is unreachable: %v.", a.server, err)
}

func (a *Allocation) connectStream(ctx context.Context) *failure.Failure {
	var config *tls.Config
	if a.server.Transport == TLS {
		if config = a.server.TLS; config == nil {
			config = trust.Config(false)
		}
	}
	connection, f := a.server.Client.Connect(ctx, a.server.HostPort(), config, tcpreader.UnderTLS)
	if f != nil {
		return staged(f)
	}
	stream, err := a.server.Streams.Take(connection, (*streamHandler)(a))
	if err != nil {
		return failure.New(failure.TURN, protocol.CauseNoSocket, "Reading the connection to %s failed: %v.", a.server, err)
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.stream = stream
	return nil
}

// staged makes a failure to reach the server one of the stage of TURN: other stages are those of the origin.
func staged(f *failure.Failure) *failure.Failure {
	if failure.IsLocal(f.Cause) {
		return &failure.Failure{Stage: failure.TURN, Cause: f.Cause, Detail: f.Detail}
	}
	if f.Stage == failure.TLS && f.Cause == protocol.CauseCertificate {
		return &failure.Failure{Stage: failure.TURN, Cause: protocol.CauseTLSCertificate, Detail: "TURN server: " + f.Detail +
			" If its certificate is self-signed, write selfSigned: true for turn."}
	}
	return &failure.Failure{Stage: failure.TURN, Cause: protocol.InnerCause(f.Stage, f.Cause), Detail: "TURN server: " + f.Detail}
}

// send sends a message to the server.
func (a *Allocation) send(message []byte) error {
	if a.stream != nil {
		return a.stream.Send(message)
	}
	return a.under.Send(message)
}

// Datagram takes what the server sent over UDP.
func (a *Allocation) Datagram(data []byte, _ netip.AddrPort, at int64) { a.receive(data, at) }

// receive dispatches a message of the server: ChannelData first, since that is the media.
func (a *Allocation) receive(data []byte, at int64) {
	if number, content, ok := readChannelData(data); ok {
		if bound := a.bound.Load(); bound != nil && bound.number == number {
			a.handler.Datagram(content, bound.peer, at)
		}
		return
	}
	if !stun.IsMessage(data) {
		return
	}
	m := &stun.Message{Raw: append([]byte(nil), data...)}
	if m.Decode() != nil {
		return
	}
	switch {
	case m.Type.Class == stun.ClassIndication && m.Type.Method == stun.MethodData:
		var peer stun.XORMappedAddress
		content, err := m.Get(stun.AttrData)
		if err == nil && peer.GetFromAs(m, stun.AttrXORPeerAddress) == nil {
			a.handler.Datagram(content, addrPort(peer), at)
		}
	case m.Type.Class == stun.ClassSuccessResponse || m.Type.Class == stun.ClassErrorResponse:
		a.mutex.Lock()
		defer a.mutex.Unlock()
		a.respond(m)
	}
}

// Overflow passes on what the socket lost.
func (a *Allocation) Overflow(total uint32) { a.handler.Overflow(total) }

// SocketError ends waiting requests: the port of the server is closed.
func (a *Allocation) SocketError(err error) {
	a.mutex.Lock()
	for len(a.pending) > 0 && a.pending[0].kind == stun.MethodAllocate {
		a.finish(0, failure.New(failure.TURN, protocol.CauseRefused, "%s is not reachable: %v.", a.server, err))
	}
	a.mutex.Unlock()
	a.handler.SocketError(err)
}

// streamHandler is the allocation as the handler of its TCP connection.
type streamHandler Allocation

// Bytes takes what the server sent over TCP or TLS.
func (h *streamHandler) Bytes(data []byte, at int64) bool {
	a := (*Allocation)(h)
	// Before a channel is bound there is no ChannelData, for which the text of other protocols might pass.
	early := a.bound.Load() == nil && len(a.incoming.partial) == 0 && len(data) > 0 && data[0]>>6 != 0
	if !early && a.incoming.next(data, func(message []byte) { a.receive(message, at) }) {
		return true
	}
	a.broken(protocol.CauseNotTURN, "The server's data is neither STUN nor ChannelData")
	return false
}

// Ended ends the allocation with its connection (RFC 8656, 3.1).
func (h *streamHandler) Ended(err error) {
	detail := "The server closed the connection"
	if !errors.Is(err, io.EOF) {
		detail = "The connection broke: " + err.Error()
	}
	(*Allocation)(h).broken(protocol.CauseClosed, detail)
}

func (a *Allocation) broken(cause protocol.Cause, detail string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	f := failure.New(failure.TURN, cause, "%s, %s.", detail, a.server)
	if a.failure == nil {
		a.failure = f
	}
	for len(a.pending) > 0 {
		a.finish(len(a.pending)-1, f)
	}
}

// Port is that of the relayed address.
func (a *Allocation) Port() uint16 { return a.relayed.Port() }

// IPv6 reports the family of the relayed address.
func (a *Allocation) IPv6() bool { return a.relayed.Addr().Is6() }

// Connect fixes the peer to send to.
func (a *Allocation) Connect(to netip.AddrPort) error {
	a.peer.Store(&to)
	return nil
}

// Send sends to the peer that Connect fixed.
func (a *Allocation) Send(data []byte) error { return a.SendTo(data, *a.peer.Load()) }

// messages are for one outgoing ChannelData message.
var messages = sync.Pool{New: func() any { buffer := make([]byte, 0, 2048); return &buffer }}

// SendTo sends to a peer, over the channel if it is bound to this peer. Without a permission the data is dropped and the
// permission requested: ICE repeats its checks.
func (a *Allocation) SendTo(data []byte, to netip.AddrPort) error {
	if bound := a.bound.Load(); bound != nil && bound.peer == to {
		buffer := messages.Get().(*[]byte)
		defer messages.Put(buffer)
		*buffer = appendChannelData((*buffer)[:0], bound.number, data, a.stream != nil)
		return a.send(*buffer)
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.closed {
		return udpreader.ErrClosed
	}
	state := a.state(to.Addr())
	if state == nil {
		return errors.New("too many peers for one allocation")
	}
	now := monotonic.Nano()
	if !state.requested || state.permitted && now-state.requestedAt > bindingNs {
		state.requested, state.requestedAt = true, now
		a.begin(&transaction{kind: stun.MethodCreatePermission, peer: to})
	}
	if !state.permitted {
		return nil
	}
	m := stun.New()
	if err := m.NewTransactionID(); err != nil {
		return err
	}
	m.SetType(stun.NewType(stun.MethodSend, stun.ClassIndication))
	m.WriteHeader()
	if err := addressOf(to).AddToAs(m, stun.AttrXORPeerAddress); err != nil {
		return err
	}
	m.Add(stun.AttrData, data)
	return a.send(m.Raw)
}

// Close releases the allocation at the server, and the socket.
func (a *Allocation) Close() error { return a.release(false) }

func (a *Allocation) release(abort bool) error {
	a.mutex.Lock()
	if a.closed {
		a.mutex.Unlock()
		return nil
	}
	a.closed = true
	if !abort && a.relayed.IsValid() && a.failure == nil {
		end := &transaction{kind: stun.MethodRefresh}
		if a.build(end) == nil {
			_ = a.send(end.message) // otherwise the allocation expires
		}
	}
	a.mutex.Unlock()
	if a.stream != nil {
		return a.stream.Close(abort)
	}
	return a.under.Close()
}
