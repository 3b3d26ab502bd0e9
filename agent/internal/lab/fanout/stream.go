// Package fanout sends a stream's packets to its viewers: one shared payload, a key per viewer, one sender.
package fanout

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/monotonic"
)

// ringSize is how many packets of a stream are kept: for retransmissions, and for the sample's viewers, which lag
// behind by up to a keyframe interval. 24 s of the sample, about 4 s of a 2 Mbit/s camera.
const ringSize = 1024

// maxClockDistance is the difference up to which the clocks of a publisher and the lab count as the same.
const maxClockDistance = int64(time.Second)

type packet struct {
	due       int64 // ns on the stream's clock
	payload   []byte
	timestamp uint32
	sequence  uint16
	kind      media.Kind
	marker    bool
	keyframe  bool // the first packet of one
}

// reference maps RTP time to the stream's clock, for sender reports.
type reference struct {
	known     bool
	at        int64
	timestamp uint32
}

// Stream is a ring of packets. Positions only increase; position p is stored at p % ringSize.
type Stream struct {
	SSRC [media.Kinds]uint32
	// RepairSSRC is the SSRC of retransmitted video (RTX).
	RepairSSRC uint32

	// onWait is called when a viewer has to wait for a keyframe; nil for the sample.
	onWait func()
	sample *sampleSource

	pathState   atomic.Pointer[pathState]
	pausedUntil atomic.Int64 // on the stream's clock
	arrivals    uint64       // viewers so far: each viewer's conditions follow from its number
	playing     atomic.Int64 // viewers being sent to
	senderAhead atomic.Int64 // how far the publisher's clock is ahead of ours, in ns; 0 within maxClockDistance
	stalled     bool         // nothing is sent now, since the stream is above its ceiling; used by the loop only

	mutex      sync.Mutex
	started    time.Time
	ring       [ringSize]packet
	tail, head uint64 // positions kept: tail <= p < head
	bySequence [media.Kinds][ringSize]uint64
	reference  [media.Kinds]reference
	lastVideo  uint32 // timestamp of the latest video packet
	codec      rtppayload.Codec
	figures    Figures
}

// Figures count what was added to the stream.
type Figures struct {
	Packets, Bytes, Frames uint64 // Bytes with RTP headers
	Width, Height          int
}

// NewLive makes a stream fed by Push. keyframeWanted is called when a viewer needs one, from several goroutines, and
// must not block.
func NewLive(keyframeWanted func()) *Stream {
	return newStream(keyframeWanted)
}

// NewSample makes a stream that plays the sample in an endless loop.
func NewSample(sample *media.Sample) *Stream {
	s := newStream(nil)
	s.sample, s.codec = newSampleSource(sample), sample.Codec
	for kind := range media.Kinds {
		s.reference[kind] = reference{known: true, timestamp: s.sample.firstTimestamp[kind]}
	}
	return s
}

func newStream(onWait func()) *Stream {
	s := &Stream{SSRC: [media.Kinds]uint32{rand.Uint32()&^3 | 1, rand.Uint32() &^ 3}, RepairSSRC: rand.Uint32() | 2, onWait: onWait, started: monotonic.Now()}
	s.pathState.Store(&pathState{clear: true})
	return s
}

// WantKeyframe requests a keyframe from the publisher of a live stream.
func (s *Stream) WantKeyframe() {
	if s.onWait != nil {
		s.onWait()
	}
}

// clock is the stream's own: nanoseconds since it was made.
func (s *Stream) clock() int64 { return int64(time.Since(s.started)) }

// pathState is what the loop reads for each packet.
type pathState struct {
	conditions conditions.Conditions
	// measured streams record the ground truth of their viewers. It costs some 5 % of the sending, so it starts with
	// the first conditions.
	measured bool
	clear    bool
}

// SetConditions changes the path to all viewers; packets already sent keep their fate. From the first call on, ground
// truth is recorded.
func (s *Stream) SetConditions(c conditions.Conditions) {
	s.pathState.Store(&pathState{conditions: c, measured: true, clear: c.Perfect()})
}

// Conditions are the current ones.
func (s *Stream) Conditions() conditions.Conditions { return s.pathState.Load().conditions }

// BudgetPercent is how much of its simulated CPU the stream uses; known only with a cost per viewer.
func (s *Stream) BudgetPercent() (percent float64, known bool) {
	return s.Conditions().Ceiling.BudgetPercent(int(s.playing.Load()))
}

// Pause sends nothing for that long, and then all that was due at once.
func (s *Stream) Pause(length time.Duration) { s.pausedUntil.Store(s.clock() + int64(length)) }

// Push appends one RTP packet of a live stream; the payload is copied. A sequence gap stays a gap.
func (s *Stream) Push(kind media.Kind, sequence uint16, timestamp uint32, marker bool, payload []byte) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.append(kind, sequence)
	p.due, p.timestamp, p.marker = s.clock(), timestamp, marker
	p.payload = append(p.payload[:0], payload...)
	if !s.reference[kind].known {
		s.reference[kind] = reference{known: true, at: p.due, timestamp: timestamp}
	}
	p.keyframe = false
	if kind == media.Video {
		read := s.codec.Inspect(payload)
		p.keyframe = timestamp != s.lastVideo && read.Keyframe
		s.lastVideo = timestamp
		if read.Layers > 0 {
			size := read.Sizes[read.Layers-1]
			s.figures.Width, s.figures.Height = int(size.Width), int(size.Height)
		}
	}
	s.count(p)
}

// SetCodec sets the codec of a live stream's video, before its first packet.
func (s *Stream) SetCodec(codec rtppayload.Codec) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.codec = codec
}

// Codec is that of the video; none without video.
func (s *Stream) Codec() rtppayload.Codec {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.codec
}

// SetClockReference takes the mapping of the publisher's sender report: the RTP timestamp of a time of its clock, in
// Unix nanoseconds. It is forwarded as it is. Our clock only selects the time of which a report is.
func (s *Stream) SetClockReference(kind media.Kind, senderNs int64, timestamp uint32) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if ahead := senderNs - s.SenderNow(); ahead > maxClockDistance || ahead < -maxClockDistance {
		s.senderAhead.Add(ahead)
	}
	s.reference[kind] = reference{known: true, at: senderNs - s.senderAhead.Load() - s.started.UnixNano(), timestamp: timestamp}
}

// SenderNow is the time of day of sender reports, in Unix nanoseconds.
func (s *Stream) SenderNow() int64 { return monotonic.Nano() + s.senderAhead.Load() }

// append takes the next slot of the ring; the payload reuses the memory of the packet it replaces.
func (s *Stream) append(kind media.Kind, sequence uint16) *packet {
	p := &s.ring[s.head%ringSize]
	p.kind, p.sequence = kind, sequence
	s.bySequence[kind][sequence%ringSize] = s.head
	if s.head++; s.head-s.tail > ringSize {
		s.tail = s.head - ringSize
	}
	return p
}

func (s *Stream) count(p *packet) {
	s.figures.Packets++
	s.figures.Bytes += rtpHeaderBytes + uint64(len(p.payload))
	if p.kind == media.Video && p.marker {
		s.figures.Frames++
	}
}

// Figures since the stream started.
func (s *Stream) Figures() Figures {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.figures
}

// find returns the position of the packet with that sequence number, if still kept. The mutex is held.
func (s *Stream) find(kind media.Kind, sequence uint16) (position uint64, found bool) {
	position = s.bySequence[kind][sequence%ringSize]
	if position < s.tail || position >= s.head {
		return 0, false
	}
	p := &s.ring[position%ringSize]
	return position, p.kind == kind && p.sequence == sequence
}

// latestKeyframe finds the last one that is due. The mutex is held.
func (s *Stream) latestKeyframe(now int64) (position uint64, found bool) {
	for position = s.head; position > s.tail; {
		position--
		if p := &s.ring[position%ringSize]; p.keyframe && p.due <= now {
			return position, true
		}
	}
	return 0, false
}

// timestampAt is the RTP time of a time on the stream's clock. The mutex is held.
func (s *Stream) timestampAt(kind media.Kind, at int64) (timestamp uint32, known bool) {
	r := s.reference[kind]
	return r.timestamp + uint32(toClockRate(at-r.at, kind.ClockRate())), r.known
}

// toClockRate turns ns into RTP ticks without overflowing within days.
func toClockRate(nanoseconds, rate int64) int64 {
	const second = int64(time.Second)
	return nanoseconds/second*rate + nanoseconds%second*rate/second
}
