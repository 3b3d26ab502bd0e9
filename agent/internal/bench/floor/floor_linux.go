package floor

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	tick          = 2 * time.Millisecond
	datagramBytes = 2048
	oneBatch      = 64
	eachBatch     = 8
	eventsSize    = 512
	socketBuffer  = 4 << 20
	// wakeEvery bounds how long the blocking read takes to notice the end.
	wakeEvery = 200 * time.Millisecond
)

// Receiver has open sockets, which Run reads.
type Receiver struct {
	Counters
	mode    Mode
	sockets []int
	ports   []uint16
}

// Open opens the sockets for this many viewers, on loopback.
func Open(mode Mode, viewers int) (*Receiver, error) {
	r := &Receiver{mode: mode}
	count := viewers
	if mode == OneSocket {
		count = 1
	}
	for range count {
		socket, port, err := open(mode)
		if err != nil {
			r.Close()
			return nil, fmt.Errorf("socket %d of %d: %w", len(r.sockets)+1, count, err)
		}
		r.sockets, r.ports = append(r.sockets, socket), append(r.ports, port)
	}
	for len(r.ports) < viewers {
		r.ports = append(r.ports, r.ports[0])
	}
	return r, nil
}

func open(mode Mode) (socket int, port uint16, err error) {
	if socket, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return 0, 0, err
	}
	if mode == OneSocket {
		timeout := unix.NsecToTimeval(int64(wakeEvery))
		err = errors.Join(unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_RCVBUF, socketBuffer),
			unix.SetsockoptTimeval(socket, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &timeout))
	}
	err = errors.Join(err, unix.Bind(socket, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	if err != nil {
		return 0, 0, errors.Join(err, unix.Close(socket))
	}
	name, err := unix.Getsockname(socket)
	if err != nil {
		return 0, 0, errors.Join(err, unix.Close(socket))
	}
	return socket, uint16(name.(*unix.SockaddrInet4).Port), nil
}

// Ports are the ports of all viewers.
func (r *Receiver) Ports() []uint16 { return r.ports }

// Close closes the sockets; Run must have returned.
func (r *Receiver) Close() {
	for _, socket := range r.sockets {
		_ = unix.Close(socket) // nothing is lost
	}
}

// Run reads until ctx ends.
func (r *Receiver) Run(ctx context.Context) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r.mode == OneSocket {
		return r.runOne(ctx)
	}
	return r.runEach(ctx)
}

func (r *Receiver) runOne(ctx context.Context) error {
	b := newBatch(oneBatch)
	for ctx.Err() == nil {
		n, code := b.read(r.sockets[0], unix.MSG_WAITFORONE)
		if code != 0 && code != unix.EAGAIN && code != unix.EINTR {
			return code
		}
		r.count(b, n)
	}
	return nil
}

func (r *Receiver) runEach(ctx context.Context) error {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(epoll)
	for _, socket := range r.sockets {
		event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(socket)}
		if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, socket, &event); err != nil {
			return err
		}
	}
	b := newBatch(eachBatch)
	events := make([]unix.EpollEvent, eventsSize)
	pause := unix.NsecToTimespec(int64(tick))
	for ctx.Err() == nil {
		_ = unix.Nanosleep(&pause, nil) // a signal only shortens this tick
		for {
			ready, err := unix.EpollWait(epoll, events, 0)
			if err != nil && !errors.Is(err, unix.EINTR) {
				return err
			}
			for _, event := range events[:max(ready, 0)] {
				n, _ := b.read(int(event.Fd), unix.MSG_DONTWAIT)
				r.count(b, n)
			}
			if ready < len(events) {
				break
			}
		}
	}
	return nil
}

func (r *Receiver) count(b *batch, n int) {
	bytes := uint64(0)
	for i := range n {
		bytes += uint64(b.messages[i].length)
	}
	r.Packets.Add(uint64(n))
	r.Bytes.Add(bytes)
	r.Reads.Add(1)
}

// message is the kernel's struct mmsghdr.
type message struct {
	header unix.Msghdr
	length uint32
}

type batch struct {
	messages []message
	vectors  []unix.Iovec
	data     [][datagramBytes]byte
}

func newBatch(size int) *batch {
	b := &batch{messages: make([]message, size), vectors: make([]unix.Iovec, size), data: make([][datagramBytes]byte, size)}
	for i := range b.messages {
		b.vectors[i].Base = &b.data[i][0]
		b.vectors[i].SetLen(datagramBytes)
		b.messages[i].header.Iov = &b.vectors[i]
		b.messages[i].header.SetIovlen(1)
	}
	return b
}

func (b *batch) read(socket, flags int) (count int, code unix.Errno) {
	var n uintptr
	first, size := unsafe.Pointer(&b.messages[0]), uintptr(len(b.messages))
	if flags == unix.MSG_DONTWAIT { // never blocks, so the scheduler need not be informed
		n, _, code = unix.RawSyscall6(unix.SYS_RECVMMSG, uintptr(socket), uintptr(first), size, uintptr(flags), 0, 0)
	} else {
		n, _, code = unix.Syscall6(unix.SYS_RECVMMSG, uintptr(socket), uintptr(first), size, uintptr(flags), 0, 0)
	}
	if code != 0 {
		return 0, code
	}
	return int(n), 0
}
