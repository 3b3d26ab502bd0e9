package bare

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/lab/udp"
)

const batchSize = 64

// message is the kernel's struct mmsghdr.
type message struct {
	header unix.Msghdr
	sent   uint32
}

// batch sends through its own socket on the port of the one that is read. The runtime polls the latter for writability,
// which costs a wake-up for each packet sent; this one is not polled.
type batch struct {
	descriptor int
	messages   [batchSize]message
	vectors    [batchSize]unix.Iovec
	data       [batchSize][udp.DatagramBytes]byte
	count      int
	totals     udp.Totals
}

// newBatch shares the port of socket, which still receives everything sent to it.
func newBatch(socket *net.UDPConn) (*batch, error) {
	local := socket.LocalAddr().(*net.UDPAddr).AddrPort()
	connection, err := socket.SyscallConn()
	if err != nil {
		return nil, err
	}
	var shared error
	if err := connection.Control(func(descriptor uintptr) {
		shared = unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
	}); err != nil || shared != nil {
		return nil, fmt.Errorf("sharing the media port failed: %w", errors.Join(err, shared))
	}
	b := &batch{}
	if b.descriptor, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return nil, err
	}
	// What is received goes to the first socket of the port, whoever sent it.
	program := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: 0}}
	err = errors.Join(unix.SetsockoptInt(b.descriptor, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1),
		unix.Bind(b.descriptor, &unix.SockaddrInet4{Port: int(local.Port()), Addr: local.Addr().Unmap().As4()}),
		unix.SetsockoptSockFprog(b.descriptor, unix.SOL_SOCKET, unix.SO_ATTACH_REUSEPORT_CBPF, &unix.SockFprog{Len: 1, Filter: &program[0]}))
	if err != nil {
		return nil, fmt.Errorf("sharing the media port failed: %w", errors.Join(err, unix.Close(b.descriptor)))
	}
	for i := range b.messages {
		b.vectors[i].Base = &b.data[i][0]
		b.messages[i].header.Iov = &b.vectors[i]
		b.messages[i].header.SetIovlen(1)
		b.messages[i].header.Namelen = unix.SizeofSockaddrInet4
	}
	return b, nil
}

// address is an address as the kernel expects it.
func address(of netip.AddrPort) *unix.RawSockaddrInet4 {
	raw := &unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: of.Addr().Unmap().As4()}
	port := (*[2]byte)(unsafe.Pointer(&raw.Port)) // network byte order
	port[0], port[1] = byte(of.Port()>>8), byte(of.Port())
	return raw
}

// buffer is where the next datagram is to be written; add queues it.
func (b *batch) buffer() []byte { return b.data[b.count][:] }

// add queues the first length bytes of buffer and sends the batch when it is full.
func (b *batch) add(length int, to *unix.RawSockaddrInet4) {
	b.vectors[b.count].SetLen(length)
	b.messages[b.count].header.Name = (*byte)(unsafe.Pointer(to))
	if b.count++; b.count == batchSize {
		b.flush()
	}
}

// flush sends what is queued. A refused datagram is counted and skipped.
func (b *batch) flush() {
	for at := 0; at < b.count; {
		sent, _, code := unix.Syscall6(unix.SYS_SENDMMSG, uintptr(b.descriptor), uintptr(unsafe.Pointer(&b.messages[at])), uintptr(b.count-at), 0, 0, 0)
		if code != 0 {
			b.totals.Errors++
			at++
			continue
		}
		for i := at; i < at+int(sent); i++ {
			b.totals.Bytes += uint64(b.messages[i].sent)
		}
		b.totals.Packets += uint64(sent)
		at += int(sent)
	}
	b.count = 0
}

func (b *batch) close() error { return unix.Close(b.descriptor) }
