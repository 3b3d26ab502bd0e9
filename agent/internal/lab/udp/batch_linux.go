package udp

import (
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Destination is an address as the kernel expects it, made once per viewer instead of per packet.
type Destination struct {
	Address netip.AddrPort
	raw     unix.RawSockaddrInet6 // large enough for both families
	length  uint32
}

// NewDestination makes the destination of one viewer.
func NewDestination(to netip.AddrPort) *Destination {
	d := &Destination{Address: to}
	port := to.Port()<<8 | to.Port()>>8 // network order
	if !nativeIsLittle {
		port = to.Port()
	}
	if to.Addr().Unmap().Is4() {
		short := (*unix.RawSockaddrInet4)(unsafe.Pointer(&d.raw))
		*short = unix.RawSockaddrInet4{Family: unix.AF_INET, Port: port, Addr: to.Addr().Unmap().As4()}
		d.length = unix.SizeofSockaddrInet4
		return d
	}
	d.raw = unix.RawSockaddrInet6{Family: unix.AF_INET6, Port: port, Addr: to.Addr().As16()}
	d.length = unix.SizeofSockaddrInet6
	return d
}

var nativeIsLittle = func() bool {
	number := uint16(1)
	return *(*byte)(unsafe.Pointer(&number)) == 1
}()

// message is C's struct mmsghdr; Go pads its end as C does.
type message struct {
	header unix.Msghdr
	sent   uint32
}

type sender struct {
	connection syscall.RawConn
	messages   [batchSize]message
	vectors    [batchSize]unix.Iovec

	// The arguments and results of call, made once: a closure per flush would allocate.
	call      func(descriptor uintptr) bool
	from, to  int
	sent      int
	errorCode syscall.Errno
}

func (s *sender) open(socket *net.UDPConn, buffers *[batchSize][]byte) (err error) {
	if s.connection, err = socket.SyscallConn(); err != nil {
		return fmt.Errorf("preparing the media socket for batches failed: %w", err)
	}
	for i := range s.messages {
		s.vectors[i].Base = &buffers[i][0]
		s.messages[i].header.Iov = &s.vectors[i]
		s.messages[i].header.SetIovlen(1)
	}
	s.call = func(descriptor uintptr) bool {
		// Syscall and not RawSyscall: a batch may take 100 µs, for which a garbage collection must not wait.
		sent, _, code := unix.Syscall6(unix.SYS_SENDMMSG, descriptor, uintptr(unsafe.Pointer(&s.messages[s.from])),
			uintptr(s.to-s.from), unix.MSG_DONTWAIT, 0, 0)
		if s.errorCode = code; code == 0 {
			s.sent = int(sent)
		}
		return true // full buffers are errors to count, not a reason to wait
	}
	return nil
}

func (s *sender) set(i, length int, to *Destination) {
	s.vectors[i].SetLen(length)
	s.messages[i].header.Name = (*byte)(unsafe.Pointer(&to.raw))
	s.messages[i].header.Namelen = to.length
}

func (s *sender) send(from, to int) (sent, bytes int, err error) {
	s.from, s.to, s.sent, s.errorCode = from, to, 0, 0
	if err := s.connection.Write(s.call); err != nil {
		return 0, 0, err
	}
	if s.errorCode != 0 {
		return 0, 0, s.errorCode
	}
	for i := from; i < from+s.sent; i++ {
		bytes += int(s.messages[i].sent)
	}
	return s.sent, bytes, nil
}
