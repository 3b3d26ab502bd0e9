package whep

import (
	"net"
	"sync"
	"time"

	"github.com/pion/transport/v4/deadline"
)

// wire is the DTLS library's view of one viewer: a packet connection fed from the shared socket. It keeps two things of
// the handshake, so that the library's connection, its goroutines and 40 KB can be freed afterwards: the last flight,
// to retransmit when it got lost, and the close_notify, to send when the session ends.
type wire struct {
	write  func([]byte) error
	local  net.Addr
	remote net.Addr
	inbox  chan []byte
	until  *deadline.Deadline
	closed chan struct{}
	once   sync.Once
	stored chan struct{} // closed when the close_notify is stored

	mutex       sync.Mutex
	answering   bool // something arrived since the last flight started
	lastFlight  [][]byte
	muted       bool
	closeNotify []byte
}

const (
	wireQueue = 16
	// closeNotifyTimeout bounds the wait for the library's close_notify, which only needs to be scheduled.
	closeNotifyTimeout = time.Second
)

// recordAlert is the DTLS record type of an alert (RFC 6347, 4.1), readable without keys.
const recordAlert = 21

func newWire(local, remote net.Addr, write func([]byte) error) *wire {
	return &wire{write: write, local: local, remote: remote, inbox: make(chan []byte, wireQueue), until: deadline.New(), closed: make(chan struct{}), stored: make(chan struct{})}
}

// deliver queues a copy of a received record; a full queue drops it, and DTLS retransmits.
func (w *wire) deliver(datagram []byte) {
	select {
	case w.inbox <- append([]byte(nil), datagram...):
	default:
	}
}

// ReadFrom is the library's.
func (w *wire) ReadFrom(p []byte) (int, net.Addr, error) {
	select {
	case datagram := <-w.inbox:
		w.mutex.Lock()
		w.answering = true
		w.mutex.Unlock()
		return copy(p, datagram), w.remote, nil
	case <-w.until.Done():
		return 0, nil, w.until.Err()
	case <-w.closed:
		return 0, nil, net.ErrClosed
	}
}

// WriteTo is the library's.
func (w *wire) WriteTo(p []byte, _ net.Addr) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	payload := append([]byte(nil), p...)
	if w.muted {
		// A viewer that repeats its flight just now makes the library repeat its own, which is not a close_notify.
		if p[0] == recordAlert && w.closeNotify == nil {
			w.closeNotify = payload
			close(w.stored)
		}
		return len(p), nil
	}
	if w.answering {
		w.answering, w.lastFlight = false, nil
	}
	w.lastFlight = append(w.lastFlight, payload)
	return len(p), w.write(payload)
}

// mute stores what is written from now on instead of sending it.
func (w *wire) mute() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.muted = true
}

// repeat retransmits the last flight.
func (w *wire) repeat() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, datagram := range w.lastFlight {
		if err := w.write(datagram); err != nil {
			return err
		}
	}
	return nil
}

// sendCloseNotify sends the stored close_notify; without a finished handshake none exists.
func (w *wire) sendCloseNotify() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closeNotify == nil {
		return nil
	}
	return w.write(w.closeNotify)
}

// Close ends reads. When the library closes its connection, its reader may get here before the close_notify is written,
// which would then be lost. So a muted wire waits for that.
func (w *wire) Close() error {
	w.mutex.Lock()
	muted := w.muted
	w.mutex.Unlock()
	if muted {
		select {
		case <-w.stored:
		case <-time.After(closeNotifyTimeout):
		}
	}
	w.once.Do(func() { close(w.closed) })
	return nil
}

func (w *wire) LocalAddr() net.Addr { return w.local }

func (w *wire) SetDeadline(t time.Time) error { return w.SetReadDeadline(t) }

func (w *wire) SetReadDeadline(t time.Time) error {
	w.until.Set(t)
	return nil
}

// SetWriteDeadline does nothing: a datagram never blocks.
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
