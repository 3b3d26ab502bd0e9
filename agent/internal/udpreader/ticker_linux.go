package udpreader

import (
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/readerthread"
)

// ticker is the thread of a reader, which runs once per tick.
type ticker struct {
	readerthread.Worker
	connecting atomic.Int32
}

// start starts the thread; each turn takes one tick, most of which is sleep. idleTick is the tick while no viewer
// connects.
func (t *ticker) start(idleTick time.Duration, turn func(tick time.Duration)) {
	t.Start(func() {
		tick := idleTick
		if t.connecting.Load() > 0 {
			tick = connectTick
		}
		turn(tick)
	})
}

// addSocket opens a socket, which take adds to the loop and part removes.
func (t *ticker) addSocket(ipv6 bool, handler Handler, detach func(*udpSocket), take func(*udpSocket) error) (Socket, error) {
	s, err := openSocket(ipv6, handler)
	if err != nil {
		return nil, err
	}
	s.detach = detach
	t.Mutex.Lock()
	defer t.Mutex.Unlock()
	if t.IsClosed() {
		err = ErrClosed
	} else {
		err = take(s)
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(s.descriptor))
	}
	t.Occupy(1)
	return s, nil
}

func (t *ticker) Connecting(change int) { t.connecting.Add(int32(change)) }

func (t *ticker) Thread() int { return t.ID() }
