// Package tcpreader reads many TCP connections, with TLS or without. On Linux one thread reads them all, each when
// enough of its data is waiting. On other systems each connection has its goroutine.
package tcpreader

import (
	"errors"
	"fmt"
	"net"
	"time"
)

const (
	// streamShare is how much of a stream's time one read collects: each read costs an acknowledgement, which is more
	// expensive than the read itself.
	streamShare = 200 * time.Millisecond
	// sweepAfter is how long a stream may stay unread before it is checked without an event, and sweepEvery is the
	// interval of that check. If data found then is older than silentAfter, the stream is silent, and its next byte is
	// read at once. Together they are less than the 500 ms of a stall. So a gap of that length always ends with an
	// exact time, and no shorter one is taken for it; 100 ms remain for a late thread.
	sweepAfter  = 270 * time.Millisecond
	sweepEvery  = 30 * time.Millisecond
	silentAfter = 100 * time.Millisecond
	// streamTick is how long the thread sleeps between two rounds of reads, so that it finds several streams in each.
	streamTick = 5 * time.Millisecond
	// streamBuffer is the size of the one buffer into which all streams are read, and so the maximum that may wait in
	// one.
	streamBuffer = 64 << 10
	// sendTimeout is how long a few bytes may take where a system can't report at once that the send buffer is full.
	sendTimeout = 200 * time.Millisecond
)

// ErrClosed is the error of a connection that has been closed here.
var ErrClosed = errors.New("the socket is closed")

// ErrFull is the error of a peer that accepts no more data, ErrPart if it has accepted part of a message.
var (
	ErrFull = errors.New("the other side accepts no more data")
	ErrPart = fmt.Errorf("%w, after part of a message", ErrFull)
)

// Handler receives what arrives at a TCP connection. The calls of one stream never overlap, and none follows
// Ended.
type Handler interface {
	// Bytes gets what arrived, valid only during the call, and when the last of it arrived in Unix nanoseconds. It
	// returns whether to continue: after false nothing more is read.
	Bytes(data []byte, at int64) bool
	// Ended reports that the other side ended the connection: io.EOF, or why it broke.
	Ended(err error)
}

// Streams reads many TCP connections.
type Streams interface {
	// Take takes over a connection, and closes it on failure. The handler may be called before Take returns.
	Take(connection net.Conn, handler Handler) (Stream, error)
	// Thread is the system's id of the reading thread; 0 without one.
	Thread() int
	// Close stops reading; the streams must have been closed before.
	Close() error
}

// Stream is one connection that is read.
type Stream interface {
	// Send sends a few bytes; it does not wait for a peer that accepts no data. After ErrPart nothing more can be sent.
	Send(data []byte) error
	// Tune sets the expected rate, which determines the size of reads. Data is handed over within 300 ms, and at once
	// after a silence, so that the ends of a gap of 500 ms or more are known exactly. The handler may call it too.
	Tune(bytesPerSecond float64)
	// Flush hands over data that is waiting because it is not worth a read yet.
	Flush()
	// SetReading stops or continues reading. While it is stopped, the receive buffer fills, and TCP slows down the sender.
	// The handler may call it too.
	SetReading(on bool)
	// BoundBuffer bounds what the kernel stores unread.
	BoundBuffer(bytes int)
	// SeenUntil is the time until which all that arrived has been handed over.
	SeenUntil(now int64) int64
	// RoundTrip is the kernel's estimate of the connection's round-trip time, 0 if unknown.
	RoundTrip() time.Duration
	// Close releases the connection; no call of the handler follows. It must not be called from the handler. A second
	// call does nothing. With abort, TLS sends no close_notify.
	Close(abort bool) error
}

// lowWater is how many bytes are worth a read of a stream.
func lowWater(bytesPerSecond float64) int {
	return int(min(max(bytesPerSecond*streamShare.Seconds(), 1), streamBuffer))
}
