package dtlssrtp

import (
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/dtls/v3/pkg/protocol/alert"
	"github.com/pion/transport/v4/deadline"
)

const (
	dtlsQueue = 32
	// closeNotifyTimeout bounds the wait for the library's close_notify, which only needs to be scheduled.
	closeNotifyTimeout = time.Second
)

// Pipe is the DTLS part of a viewer's socket as a net.PacketConn.
type Pipe struct {
	send     func([]byte) error
	peer     net.Addr
	incoming chan []byte
	readBy   *deadline.Deadline
	closed   chan struct{}
	closing  sync.Once
	received atomic.Int32
	garbage  atomic.Int32 // datagrams that are not DTLS
	ended    atomic.Int32 // the description of a plain alert plus one

	mutex  sync.Mutex
	muted  bool
	flight flight
	last   []byte
	stored chan struct{} // closed when last, the close_notify, is stored
}

// NewPipe makes a pipe to a peer; what the library writes goes to send.
func NewPipe(send func([]byte) error, peer net.Addr) *Pipe {
	return &Pipe{send: send, peer: peer, incoming: make(chan []byte, dtlsQueue), readBy: deadline.New(), closed: make(chan struct{}), stored: make(chan struct{})}
}

// Deliver passes a datagram from the socket to the library; beyond the queue's capacity it is dropped, as in a network.
// Data that is not part of a DTLS handshake is kept from the library, which would fail on some of it, where RFC 6347
// requires it to be ignored.
func (p *Pipe) Deliver(data []byte) {
	foreign := false
	whole := records(data, func(r record) {
		foreign = foreign || r.kind < recordChangeCipherSpec || r.kind > recordHandshake
		if description, ends := r.alert(); ends {
			p.ended.CompareAndSwap(0, int32(description)+1)
		}
	})
	if !whole || foreign {
		p.garbage.Add(1)
		return
	}
	p.received.Add(1)
	select {
	case p.incoming <- append([]byte(nil), data...):
	default:
	}
}

func (p *Pipe) alert() (alert.Description, bool) {
	ended := p.ended.Load()
	return alert.Description(max(ended-1, 0)), ended > 0
}

// mute stores what is written from now on instead of sending it.
func (p *Pipe) mute() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.muted = true
}

func (p *Pipe) captured() (closeNotify []byte, last flight) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.last, p.flight
}

// ReadFrom returns the next datagram to the library.
func (p *Pipe) ReadFrom(buffer []byte) (int, net.Addr, error) {
	select {
	case data := <-p.incoming:
		return copy(buffer, data), p.peer, nil
	case <-p.readBy.Done():
		return 0, nil, os.ErrDeadlineExceeded
	case <-p.closed:
		return 0, nil, net.ErrClosed
	}
}

// WriteTo sends a datagram of the library, or stores it once the pipe is muted.
func (p *Pipe) WriteTo(data []byte, _ net.Addr) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.muted {
		// A server that repeats its flight just now makes the library repeat its own, which is not a close_notify.
		if data[0] == RecordAlert && p.last == nil {
			p.last = append([]byte(nil), data...)
			close(p.stored)
		}
		return len(data), nil
	}
	p.flight.note(data)
	// A failed send is like a lost datagram: the handshake retransmits, and reports its own failure.
	_ = p.send(data)
	return len(data), nil
}

// Close ends reads. When the library closes its connection, its reader may get here before the close_notify is written,
// which would then be lost. So a muted pipe waits for that.
func (p *Pipe) Close() error {
	p.mutex.Lock()
	muted := p.muted
	p.mutex.Unlock()
	if muted {
		select {
		case <-p.stored:
		case <-time.After(closeNotifyTimeout):
		}
	}
	p.closing.Do(func() { close(p.closed) })
	return nil
}

// LocalAddr is not used by the library.
func (p *Pipe) LocalAddr() net.Addr { return &net.UDPAddr{} }

// SetDeadline bounds reads; writes never block.
func (p *Pipe) SetDeadline(t time.Time) error { return p.SetReadDeadline(t) }

// SetReadDeadline bounds reads.
func (p *Pipe) SetReadDeadline(t time.Time) error { p.readBy.Set(t); return nil }

// SetWriteDeadline does nothing: writes never block.
func (p *Pipe) SetWriteDeadline(_ time.Time) error { return nil }
