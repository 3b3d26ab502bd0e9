package fanout

import (
	"math/rand/v2"
	"time"

	"fullhouse/agent/internal/media"
)

const (
	// sampleAhead keeps the next packet of each viewer known, so that a viewer that is not due costs one comparison.
	sampleAhead = int64(100 * time.Millisecond)
	// sampleBehind covers the longest keyframe interval of a sample: a new viewer starts at the latest keyframe.
	sampleBehind = int64(4 * time.Second)
)

// sampleSource computes each packet from its number alone, so the loop is seamless and may rest without viewers.
type sampleSource struct {
	*media.Sample
	next           int64 // number of the next packet since the stream started
	inLoop         [media.Kinds]int64
	ordinal        []int64 // of each packet among its kind
	firstTimestamp [media.Kinds]uint32
	firstSequence  [media.Kinds]uint16
}

func newSampleSource(sample *media.Sample) *sampleSource {
	source := &sampleSource{Sample: sample}
	for _, p := range sample.Packets {
		source.ordinal = append(source.ordinal, source.inLoop[p.Kind])
		source.inLoop[p.Kind]++
	}
	for kind := range media.Kinds {
		source.firstTimestamp[kind] = rand.Uint32()
		source.firstSequence[kind] = uint16(rand.Uint32())
	}
	return source
}

func (s *sampleSource) due(number int64) int64 {
	perLoop := int64(len(s.Packets))
	return number/perLoop*int64(s.Duration) + int64(s.Packets[number%perLoop].At)
}

// fillSample adds the packets up to slightly after now. After a rest it restarts, slightly in the past.
func (s *Stream) fillSample(now int64) {
	source := s.sample
	if from := now - sampleBehind; from > 0 && source.due(source.next) < from {
		source.next = from / int64(source.Duration) * int64(len(source.Packets))
		for source.due(source.next) < from {
			source.next++
		}
		s.tail = s.head
	}
	perLoop := int64(len(source.Packets))
	for ; source.due(source.next) <= now+sampleAhead; source.next++ {
		loop, ringSlot := source.next/perLoop, source.next%perLoop
		from := &source.Packets[ringSlot]
		due := source.due(source.next)
		p := s.append(from.Kind, source.firstSequence[from.Kind]+uint16(loop*source.inLoop[from.Kind]+source.ordinal[ringSlot]))
		p.due, p.payload, p.marker, p.keyframe = due, from.Payload, from.Marker, from.Keyframe
		if from.Kind == media.Video && media.HasPictureID(source.Codec) {
			p.payload = media.WithPictureID(source.Codec, from.Payload, loop*int64(source.Frames)+int64(from.Frame))
		}
		p.timestamp = source.firstTimestamp[from.Kind] + uint32(toClockRate(due, from.Kind.ClockRate()))
		s.count(p)
	}
}
