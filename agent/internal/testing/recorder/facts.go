// Package recorder is an origin for tests and recordings: it serves one sample over WHEP and records what a viewer
// sends, be it a browser or this agent. What differs from session to session (names, keys, times of day) is left out,
// so that two records can be compared.
package recorder

import (
	"cmp"
	"math"
	"slices"
)

// Facts are what a server receives from one viewer.
type Facts struct {
	Offer OfferFacts `json:"offer"`
	// ClientHello is absent if the viewer was the DTLS server.
	ClientHello *HelloFacts `json:"clientHello,omitempty"`
	// STUN are the kinds of messages by their attributes, in the order of first arrival.
	STUN []Seen `json:"stun"`
	// RTCP are the kinds of compound packets, such as RR(video,audio)+SDES.
	RTCP []Seen `json:"rtcp"`
	// Feedback is absent if the viewer sent no transport-wide feedback.
	Feedback *FeedbackFacts `json:"transportFeedback,omitempty"`
	// Repair is absent if nothing was withheld.
	Repair *RepairFacts `json:"repair,omitempty"`
	// CanonicalName is the length of the name in SDES; SenderSSRC is the viewer's SSRC.
	CanonicalName int    `json:"canonicalNameLength"`
	SenderSSRC    uint32 `json:"senderSsrc"`
	// End is what arrived after the viewer started to disconnect, in order.
	End []string `json:"end"`
	// Seconds is how long media was sent to it.
	Seconds float64 `json:"seconds"`
}

// Has reports whether a kind of compound RTCP packet was received.
func (f Facts) Has(kind string) bool {
	return slices.ContainsFunc(f.RTCP, func(s Seen) bool { return s.Kind == kind })
}

// Seen is one kind of message and its count. Times are milliseconds since the keys were derived, for STUN since the
// first message.
type Seen struct {
	Kind       string  `json:"kind"`
	Count      int     `json:"count"`
	FirstMs    float64 `json:"firstMs"`
	IntervalMs float64 `json:"medianIntervalMs,omitempty"`

	at []float64
}

// FeedbackFacts are about transport-wide congestion control.
type FeedbackFacts struct {
	Count      int     `json:"count"`
	IntervalMs float64 `json:"medianIntervalMs"`
	// Packets is the median number of packets in one feedback.
	Packets int `json:"medianPackets"`
	// Bytes is the median size of one feedback.
	Bytes int `json:"medianBytes"`
	// OfVideo is whether its media SSRC is the video's.
	OfVideo bool `json:"mediaSsrcIsVideo"`
}

// RepairFacts are about packets that were withheld until requested, or for good.
type RepairFacts struct {
	Withheld int `json:"withheld"`
	Repaired int `json:"repaired"`
	// AskedOnce is how many of those sent on request were requested exactly once.
	AskedOnce int `json:"askedOnce"`
	// Never is how many were withheld for good, TriesMost and RetryMs how often and at what interval those were
	// requested.
	Never     int     `json:"withheldForGood"`
	TriesMost int     `json:"triesMost"`
	RetryMs   float64 `json:"medianRetryMs,omitempty"`
}

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

// tally counts kinds in the order of first arrival.
type tally []Seen

func (t *tally) add(kind string, atMs float64) {
	at := slices.IndexFunc(*t, func(s Seen) bool { return s.Kind == kind })
	if at < 0 {
		at = len(*t)
		*t = append(*t, Seen{Kind: kind, FirstMs: atMs})
	}
	(*t)[at].Count++
	(*t)[at].at = append((*t)[at].at, atMs)
}

func (t tally) facts() []Seen {
	list := make([]Seen, len(t))
	for i, seen := range t {
		seen.FirstMs, seen.IntervalMs = tenths(seen.FirstMs), tenths(median(intervals(seen.at)))
		list[i] = seen
	}
	return list
}
