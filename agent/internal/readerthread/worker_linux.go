// Package readerthread is the operating system's thread that reads for all viewers of an agent.
package readerthread

import (
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Worker is a thread that takes one turn after the other as long as anything is to be read. Its turns should sleep by raw syscalls, as
// Sleep does, which bypass the scheduler. Otherwise the scheduler would hand off the thread's P at each tick, and its
// watchdog would wake every 20 us to do so, which costs a quarter of what reading costs. So the thread keeps a P to
// itself; no turn may take longer than some milliseconds, since a garbage collection waits for it.
type Worker struct {
	// Mutex guards also what the owner reads.
	Mutex sync.Mutex

	id     int
	busy   int        // what keeps the thread running, such as open sockets
	filled *sync.Cond // signalled when busy is no longer 0, and at the end
	closed bool
	done   chan struct{}
}

// Start starts the thread.
func (t *Worker) Start(turn func()) {
	t.filled = sync.NewCond(&t.Mutex)
	t.done = make(chan struct{})
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) // for the thread
	known := make(chan struct{})
	go func() {
		defer close(t.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		t.id = unix.Gettid()
		close(known)
		for t.wait() {
			turn()
		}
	}()
	<-known
}

// ID is the system's id of the thread.
func (t *Worker) ID() int { return t.id }

// Occupy counts what keeps the thread running, such as open sockets. The caller holds the mutex.
func (t *Worker) Occupy(change int) {
	t.busy += change
	t.filled.Signal()
}

// IsClosed reports whether the thread has been stopped. The caller holds the mutex.
func (t *Worker) IsClosed() bool { return t.closed }

// Occupied is what was counted. The caller holds the mutex.
func (t *Worker) Occupied() int { return t.busy }

// wait blocks while there is nothing to read; false means the end.
func (t *Worker) wait() bool {
	t.Mutex.Lock()
	defer t.Mutex.Unlock()
	for t.busy == 0 && !t.closed {
		t.filled.Wait()
	}
	return !t.closed
}

// Stop ends the thread.
func (t *Worker) Stop() {
	t.Mutex.Lock()
	t.closed = true
	t.filled.Signal()
	t.Mutex.Unlock()
	<-t.done
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
}

// Sleep sleeps without the scheduler; a signal only shortens it.
func Sleep(duration time.Duration) {
	pause := unix.NsecToTimespec(int64(duration))
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&pause)), 0, 0)
}

// ReadyNow returns how many of the events of an epoll set have happened, without waiting and without the scheduler.
func ReadyNow(epoll int, events []unix.EpollEvent) int {
	for {
		n, _, number := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), 0, 0, 0)
		if number == 0 {
			return int(n)
		}
		if number != unix.EINTR {
			return 0 // nothing else is possible
		}
	}
}
