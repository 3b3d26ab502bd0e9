package shaper

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/netshape"
	"fullhouse/agent/internal/tcpreader"
)

const (
	// minBuffer is the minimum that the kernel stores of a shaped connection, and bufferShare how much of its rate's
	// time: what it stores is a queue behind the simulated one, and should be short.
	minBuffer   = 16 << 10
	bufferShare = 0.1
	// maxAhead bounds the data of one connection that is on its way.
	maxAhead = 4 << 20
)

// errTooMany ends a connection when this machine holds too much.
var errTooMany = errors.New("this tester holds too many packets of simulated networks")

// Connection is implemented by handlers of viewers that have several connections: they share the viewer's place on a
// link.
type Connection interface {
	// OwnerOfConnection identifies the viewer; it is comparable.
	OwnerOfConnection() any
}

// Streams reads the TCP connections of the job's viewers, in front of another reader. Rate and delay apply; loss does
// not, since TCP repairs it. What exceeds the rate is not read, so that TCP slows down the server.
func (j *Job) Streams(under tcpreader.Streams) tcpreader.Streams {
	return &streams{Streams: under, job: j}
}

type streams struct {
	tcpreader.Streams
	job *Job
}

func (l *streams) Take(connection net.Conn, handler tcpreader.Handler) (tcpreader.Stream, error) {
	viewer := any(handler)
	if one, ok := handler.(Connection); ok {
		viewer = one.OwnerOfConnection()
	}
	s := &stream{path: l.job.enter(viewer, netshape.HeaderTCP), handler: handler}
	under, err := l.Streams.Take(connection, s)
	if err != nil {
		s.path.leave()
		return nil, err
	}
	if rate := l.job.maxRate(); rate > 0 {
		under.BoundBuffer(max(minBuffer, int(rate/8*bufferShare)))
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	s.Stream = under
	under.SetReading(!s.paused)
	return s, nil
}

// maxRate is the maximum rate to a viewer at any time of the schedule, 0 if unlimited.
func (j *Job) maxRate() (bitsPerSecond float64) {
	for i := range j.schedule {
		rate := j.schedule[i].Down.BitsPerSecond
		if rate == 0 {
			return 0
		}
		bitsPerSecond = max(bitsPerSecond, rate)
	}
	return bitsPerSecond
}

// stream is a connection behind the simulated network. It handles what the real one receives.
type stream struct {
	tcpreader.Stream // set with reading held
	path             *path

	reading sync.Mutex
	paused  bool
	ahead   atomic.Int64 // bytes on their way to the handler

	delivering sync.Mutex // held during the handler's calls
	handler    tcpreader.Handler
	over       bool // no further call of the handler
	closed     bool

	sending sync.Mutex
	unsent  int  // held data to be sent
	ending  bool // the connection is closed after the last of it
}

// Bytes takes what was read, segment by segment.
func (s *stream) Bytes(data []byte, at int64) bool {
	for len(data) > 0 {
		segment := data[:min(len(data), netshape.SegmentTCP)]
		data = data[len(segment):]
		outcome := s.path.queue(at, len(segment), false)
		s.ahead.Add(int64(len(segment)))
		if !s.path.job.shaper.hold(held{owner: s, data: segment, at: outcome.At}) {
			s.path.job.overflow()
			s.end(errTooMany)
			return false
		}
	}
	s.delivering.Lock()
	over := s.over
	s.delivering.Unlock()
	if !over {
		s.pauseIfFull()
	}
	return !over
}

// pauseIfFull stops reading while the queue is full, and has itself called again when there is room.
func (s *stream) pauseIfFull() {
	s.reading.Lock()
	defer s.reading.Unlock()
	now := monotonic.Nano()
	room := s.path.roomAt(now)
	if s.ahead.Load() > maxAhead {
		room = max(room, now+int64(10*time.Millisecond))
	}
	isFull := room > now
	if isFull && !s.path.job.shaper.hold(held{owner: s, kind: resume, at: room}) {
		isFull = false
	}
	if isFull != s.paused {
		s.paused = isFull
		if s.Stream != nil {
			s.Stream.SetReading(!isFull)
		}
	}
}

// Ended reports the end of the connection after all data before it.
func (s *stream) Ended(err error) {
	outcome := s.path.queue(monotonic.Nano(), 0, false)
	if !s.path.job.shaper.hold(held{owner: s, kind: ended, at: outcome.At, err: err}) {
		s.end(err)
	}
}

func (s *stream) end(err error) {
	s.delivering.Lock()
	defer s.delivering.Unlock()
	if !s.over {
		s.over = true
		s.handler.Ended(err)
	}
}

// Send sends after the delay; a failure then ends the connection.
func (s *stream) Send(data []byte) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.ending {
		return tcpreader.ErrClosed
	}
	outcome := s.path.queue(monotonic.Nano(), len(data), true)
	if !s.path.job.shaper.hold(held{owner: s, data: data, kind: up, at: outcome.At}) {
		s.path.job.overflow()
		return errTooMany
	}
	s.unsent++
	return nil
}

func (s *stream) release(p *held) {
	switch p.kind {
	case resume:
		s.pauseIfFull()
	case ended:
		s.end(p.err)
	case up:
		s.send(p.data)
	case down:
		s.ahead.Add(-int64(len(p.data)))
		s.delivering.Lock()
		defer s.delivering.Unlock()
		if !s.over && !s.handler.Bytes(p.data, p.at) {
			s.over = true
		}
	}
}

func (s *stream) send(data []byte) {
	err := s.Stream.Send(data)
	s.sending.Lock()
	s.unsent--
	isLast := s.ending && s.unsent == 0
	s.sending.Unlock()
	if isLast {
		_ = s.Stream.Close(false) // its descriptor is freed in any case
	} else if err != nil {
		s.end(err)
	}
}

// Tune does nothing: what has arrived is read at once, and its segments are delivered one by one.
func (s *stream) Tune(float64) {}

// Flush does nothing: what is not delivered has not arrived.
func (s *stream) Flush() {}

// SeenUntil is how far the thread that delivers has come.
func (s *stream) SeenUntil(now int64) int64 {
	if s.ahead.Load() == 0 {
		return now
	}
	return min(now, s.path.job.shaper.released.Load())
}

// RoundTrip is the kernel's estimate and the simulated delay.
func (s *stream) RoundTrip() time.Duration {
	real := s.Stream.RoundTrip()
	if real == 0 {
		return 0
	}
	return real + s.path.job.roundTrip()
}

// Close ends the calls of the handler. What was sent before is still on its way, unless it is aborted.
func (s *stream) Close(abort bool) error {
	s.delivering.Lock()
	wasClosed := s.closed
	s.closed, s.over = true, true
	s.delivering.Unlock()
	if wasClosed {
		return nil
	}
	s.path.leave()
	s.sending.Lock()
	s.ending = true
	isUsed := s.unsent > 0 && !abort
	s.sending.Unlock()
	if isUsed {
		return nil
	}
	return s.Stream.Close(abort)
}
