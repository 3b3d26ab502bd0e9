package harvest

import (
	"errors"
	"net"
	"time"
)

const (
	// streamShare is how much of a stream's time one read collects: each read costs an acknowledgement, which is dearer than
	// the read itself.
	streamShare = 200 * time.Millisecond
	// sweepAfter is how long a stream may go unread before it is looked at without being asked to, and sweepEvery how often that
	// is found out. What is found then and is older than silentAfter makes the stream a silent one, whose next byte is read at
	// once. Together they are less than the 500 ms of a freeze, so that a gap of that length always ends with an exact time, and
	// no shorter one is taken for it; 100 ms are left for a thread that is late.
	sweepAfter  = 270 * time.Millisecond
	sweepEvery  = 30 * time.Millisecond
	silentAfter = 100 * time.Millisecond
	// streamBeat is how long the thread rests between two rounds of reads, so that it finds several streams in each.
	streamBeat = 5 * time.Millisecond
	// streamBuffer is the one buffer into which all streams are read, and so the most that one may wait for.
	streamBuffer = 64 << 10
	// sendPatience is how long a few bytes may take where a system can't say at once that there is no room for them.
	sendPatience = 200 * time.Millisecond
)

// ErrFull is the error of a peer that takes nothing more.
var ErrFull = errors.New("the other side takes nothing more")

// StreamHandler takes what arrives at a TCP connection. The calls of one stream never overlap, and none comes after Ended.
type StreamHandler interface {
	// Bytes gets what arrived, which is valid during the call only, and when the last of it arrived in Unix nanoseconds.
	// What it returns tells whether to go on: false means that nothing more is read.
	Bytes(data []byte, at int64) bool
	// Ended tells that the other side ended the connection: io.EOF, or why it broke.
	Ended(err error)
}

// Streams reads many TCP connections.
type Streams interface {
	// Take takes over a connection, which is closed when that fails. The handler may be called before Take returns.
	Take(connection net.Conn, handler StreamHandler) (Stream, error)
	// Thread is the reading thread's id in the system; 0 when there is none of that kind.
	Thread() int
	// Close ends the reading; the streams must have been closed before.
	Close() error
}

// Stream is one connection that is read.
type Stream interface {
	// Send sends a few bytes, all or none; it does not wait for a peer that takes nothing.
	Send(data []byte) error
	// Tune says how much comes, so that it is read in fitting portions: what arrives is handed over within 300 ms, and
	// at once after a silence, so that the ends of a gap of 500 ms or more are known exactly. The handler may call it too.
	Tune(bytesPerSecond float64)
	// Flush hands over what waits because it is not worth a read yet.
	Flush()
	// SeenUntil is the time until which all that arrived has been handed over.
	SeenUntil(now int64) int64
	// RoundTrip is the kernel's estimate of the connection's round trip, 0 where it does not tell.
	RoundTrip() time.Duration
	// Close frees the connection; no call of the handler follows. It must not be called from the handler. A second call does
	// nothing. With abort TLS says no goodbye.
	Close(abort bool) error
}

// lowWater is how many bytes are worth a read of a stream.
func lowWater(bytesPerSecond float64) int {
	return int(min(max(bytesPerSecond*streamShare.Seconds(), 1), streamBuffer))
}
