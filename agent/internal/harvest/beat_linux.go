package harvest

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// beating is the thread of a reader: it works once a beat as long as there is something to read.
type beating struct {
	quick  atomic.Int32
	thread int

	mutex  sync.Mutex
	busy   int        // what keeps the thread from resting, such as open sockets
	filled *sync.Cond // signalled when busy is no longer 0, and at the end
	closed bool
	done   chan struct{}
}

// begin starts the thread; harvest is called on it once a beat.
func (b *beating) begin(harvest func()) {
	b.filled = sync.NewCond(&b.mutex)
	b.done = make(chan struct{})
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) // the reader keeps one to itself, see nap
	known := make(chan struct{})
	go func() {
		defer close(b.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		b.thread = unix.Gettid()
		close(known)
		for b.wait() {
			beat := Beat
			if b.quick.Load() > 0 {
				beat = quickBeat
			}
			nap(beat)
			harvest()
		}
	}()
	<-known
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

// nap sleeps without telling the scheduler. Told, it would take the reader's place away at each beat and give it back, and its
// watchdog would wake every 20 us to do so, which costs a quarter of what reading costs. A signal only makes a nap shorter.
func nap(duration time.Duration) {
	pause := unix.NsecToTimespec(int64(duration))
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&pause)), 0, 0)
}
