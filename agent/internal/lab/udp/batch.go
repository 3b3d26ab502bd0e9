// Package udp sends many datagrams to many addresses from one socket: with sendmmsg on Linux, one by one elsewhere.
package udp

import (
	"fmt"
	"net"
	"net/netip"
)

const (
	// DatagramBytes is the largest datagram a batch accepts.
	DatagramBytes = 2048
	batchSize     = 64
	socketBuffer  = 4 << 20
)

// Listen opens the socket on a loopback address, with buffers for many viewers that connect at once.
func Listen(address netip.AddrPort) (*net.UDPConn, error) {
	socket, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(address))
	if err != nil {
		return nil, err
	}
	if err := socket.SetReadBuffer(socketBuffer); err != nil {
		_ = socket.Close() // the error to report is the buffer's
		return nil, fmt.Errorf("setting the receive buffer failed: %w", err)
	}
	return socket, nil
}

// Totals count since the batch was made.
type Totals struct {
	Packets uint64
	Bytes   uint64
	// Errors are datagrams that the system refused; the others do not include them.
	Errors uint64
}

// Batch collects datagrams and sends them together. It is for one goroutine.
type Batch struct {
	buffers [batchSize][]byte
	count   int
	totals  Totals
	sender  sender
}

// NewBatch makes a batch that sends from the socket.
func NewBatch(socket *net.UDPConn) (*Batch, error) {
	b := &Batch{}
	memory := make([]byte, batchSize*DatagramBytes)
	for i := range b.buffers {
		b.buffers[i] = memory[i*DatagramBytes : (i+1)*DatagramBytes : (i+1)*DatagramBytes]
	}
	return b, b.sender.open(socket, &b.buffers)
}

// Buffer is where the next datagram is to be written; Add queues it.
func (b *Batch) Buffer() []byte { return b.buffers[b.count] }

// Add queues the first length bytes of Buffer and sends the batch when it is full.
func (b *Batch) Add(length int, to *Destination) {
	b.sender.set(b.count, length, to)
	if b.count++; b.count == batchSize {
		b.Flush()
	}
}

// Flush sends what is queued. A refused datagram is counted and skipped: the next address may work.
func (b *Batch) Flush() {
	for at := 0; at < b.count; {
		sent, bytes, err := b.sender.send(at, b.count)
		b.totals.Packets += uint64(sent)
		b.totals.Bytes += uint64(bytes)
		if at += sent; err != nil {
			b.totals.Errors++
			at++
		}
	}
	b.count = 0
}

// Totals of all flushes so far.
func (b *Batch) Totals() Totals { return b.totals }
