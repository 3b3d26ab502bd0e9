package udpreader

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// ticker is the thread of a reader: it runs once per tick as long as anything is to be read. It sleeps by raw
// syscalls, which bypass the scheduler. Otherwise the scheduler would hand off the thread's P at each tick, and its
// watchdog would wake every 20 us to do so, which costs a quarter of what reading costs. So the thread keeps a P to
// itself.
type ticker struct {
	connecting atomic.Int32
	thread     int

	mutex  sync.Mutex
	busy   int        // what keeps the thread running, such as open sockets
	filled *sync.Cond // signalled when busy is no longer 0, and at the end
	closed bool
	done   chan struct{}
}

// start starts the thread; each turn takes one tick, most of which is sleep. idleTick is the tick while no viewer
// connects.
func (t *ticker) start(idleTick time.Duration, turn func(tick time.Duration)) {
	t.filled = sync.NewCond(&t.mutex)
	t.done = make(chan struct{})
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) // for the thread
	known := make(chan struct{})
	go func() {
		defer close(t.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		t.thread = unix.Gettid()
		close(known)
		for t.wait() {
			tick := idleTick
			if t.connecting.Load() > 0 {
				tick = connectTick
			}
			turn(tick)
		}
	}()
	<-known
}

// addSocket opens a socket, which take adds to the loop and part removes.
func (t *ticker) addSocket(ipv6 bool, handler Handler, detach func(*udpSocket), take func(*udpSocket) error) (Socket, error) {
	s, err := openSocket(ipv6, handler)
	if err != nil {
		return nil, err
	}
	s.detach = detach
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.closed {
		err = ErrClosed
	} else {
		err = take(s)
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(s.descriptor))
	}
	t.busy++
	t.filled.Signal()
	return s, nil
}

// wait blocks while there is nothing to read; false means the end.
func (t *ticker) wait() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for t.busy == 0 && !t.closed {
		t.filled.Wait()
	}
	return !t.closed
}

// stop ends the thread.
func (t *ticker) stop() {
	t.mutex.Lock()
	t.closed = true
	t.filled.Signal()
	t.mutex.Unlock()
	<-t.done
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
}

func (t *ticker) Connecting(change int) { t.connecting.Add(int32(change)) }

func (t *ticker) Thread() int { return t.thread }
