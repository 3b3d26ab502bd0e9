// Package recorder is an origin that records what its viewers send, be they browsers or agents', for comparison. It
// serves one sample over WHEP on loopback. What differs from session to session (names, keys, times of day) is left
// out, so that two records can be compared.
package recorder

import (
	"cmp"
	"math"
	"slices"

	"fullhouse/agent/internal/protocol"
)

func median[N cmp.Ordered](values []N) (middle N) {
	if len(values) == 0 {
		return middle
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

func tenths(value float64) float64 { return math.Round(10*value) / 10 }

func intervals(at []float64) (between []float64) {
	for i := 1; i < len(at); i++ {
		between = append(between, at[i]-at[i-1])
	}
	return between
}

// seen is one kind of message, and when each arrived, in milliseconds.
type seen struct {
	kind string
	at   []float64
}

// tally counts kinds in the order of first arrival.
type tally []seen

func (t *tally) add(kind string, atMs float64) {
	at := slices.IndexFunc(*t, func(s seen) bool { return s.kind == kind })
	if at < 0 {
		at = len(*t)
		*t = append(*t, seen{kind: kind})
	}
	(*t)[at].at = append((*t)[at].at, atMs)
}

func (t tally) facts() []protocol.SeenMessage {
	list := make([]protocol.SeenMessage, len(t))
	for i, one := range t {
		list[i] = protocol.SeenMessage{Kind: one.kind, Count: len(one.at), FirstMs: tenths(one.at[0]), MedianIntervalMs: tenths(median(intervals(one.at)))}
	}
	return list
}

// facts are those of a session so far. The origin's mutex is held.
func (s *session) facts() protocol.RecordedViewer {
	f := protocol.RecordedViewer{Offer: s.offer.RecordedOffer, SDP: s.offerText(), STUN: s.stun.facts(), RTCP: s.rtcp.facts(),
		CanonicalNameLength: s.name, SenderSSRC: s.sender, End: slices.Clone(s.end), UpstreamPackets: s.upstreamPackets, UpstreamBytes: s.upstreamBytes,
		CheckAfterMs: between(s.answeredAt, s.firstAt), HelloAfterMs: between(s.firstAt, s.helloAt), KeysAfterMs: between(s.helloAt, s.keysAt)}
	if s.hello.isRead {
		hello := s.hello.facts
		f.ClientHello = &hello
	}
	if !s.keysAt.IsZero() {
		f.Seconds = tenths(s.playedFor().Seconds())
	}
	if len(s.feedback) > 0 {
		var at []float64
		var packets, bytes []int
		for _, one := range s.feedback {
			at, packets, bytes = append(at, one.at), append(packets, one.packets), append(bytes, one.bytes)
		}
		f.TransportFeedback = &protocol.RecordedFeedback{Count: len(at), MedianIntervalMs: tenths(median(intervals(at))), MedianPackets: median(packets),
			MedianBytes: median(bytes), MediaSSRCIsVideo: s.feedback[len(s.feedback)-1].ofVideo}
	}
	f.Repair = s.repairFacts()
	return f
}
