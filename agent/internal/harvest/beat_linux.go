package harvest

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// beating is the thread of a reader: it works once a beat as long as there is something to read. It rests by raw calls, which don't
// tell the scheduler. Told, it would take the thread's place away at each beat and give it back, and its watchdog would wake every
// 20 us to do so, which costs a quarter of what reading costs. So the thread keeps a place to itself.
type beating struct {
	quick  atomic.Int32
	thread int

	mutex  sync.Mutex
	busy   int        // what keeps the thread from resting, such as open sockets
	filled *sync.Cond // signalled when busy is no longer 0, and at the end
	closed bool
	done   chan struct{}
}

// begin starts the thread; each turn on it lasts for a beat, most of which is rest. calm is the beat while nobody connects.
func (b *beating) begin(calm time.Duration, turn func(beat time.Duration)) {
	b.filled = sync.NewCond(&b.mutex)
	b.done = make(chan struct{})
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) // the thread's own
	known := make(chan struct{})
	go func() {
		defer close(b.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		b.thread = unix.Gettid()
		close(known)
		for b.wait() {
			beat := calm
			if b.quick.Load() > 0 {
				beat = quickBeat
			}
			turn(beat)
		}
	}()
	<-known
}

// admit opens a socket, which take adds to the loop and part takes out again.
func (b *beating) admit(ipv6 bool, handler Handler, part func(*udpSocket), take func(*udpSocket) error) (Socket, error) {
	s, err := openSocket(ipv6, handler)
	if err != nil {
		return nil, err
	}
	s.part = part
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.closed {
		err = ErrClosed
	} else {
		err = take(s)
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(s.descriptor))
	}
	b.busy++
	b.filled.Signal()
	return s, nil
}

// wait blocks while there is nothing to read; false means the end.
func (b *beating) wait() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for b.busy == 0 && !b.closed {
		b.filled.Wait()
	}
	return !b.closed
}

// end ends the thread.
func (b *beating) end() {
	b.mutex.Lock()
	b.closed = true
	b.filled.Signal()
	b.mutex.Unlock()
	<-b.done
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
}

func (b *beating) Connecting(change int) { b.quick.Add(int32(change)) }

func (b *beating) Thread() int { return b.thread }
