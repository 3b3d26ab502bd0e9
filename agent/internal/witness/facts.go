// Package witness is an origin for tests and recordings: it serves one sample by WHEP and writes down what a viewer sends it, be it a
// browser or this agent. What differs from session to session (names, keys, times of day) is left out, so that two records compare.
package witness

import (
	"cmp"
	"math"
	"slices"
)

// Facts are what a server sees of one viewer.
type Facts struct {
	Offer OfferFacts `json:"offer"`
	// ClientHello is absent when the viewer was the DTLS server.
	ClientHello *HelloFacts `json:"clientHello,omitempty"`
	// STUN are the kinds of messages by their attributes, in the order in which they first came.
	STUN []Seen `json:"stun"`
	// RTCP are the kinds of compound packets, such as RR(video,audio)+SDES.
	RTCP []Seen `json:"rtcp"`
	// Feedback is absent when the viewer sent no transport-wide feedback.
	Feedback *FeedbackFacts `json:"transportFeedback,omitempty"`
	// Repair is absent when nothing was withheld.
	Repair *RepairFacts `json:"repair,omitempty"`
	// CanonicalName is the length of the name in SDES; SenderSSRC is what the viewer calls itself.
	CanonicalName int    `json:"canonicalNameLength"`
	SenderSSRC    uint32 `json:"senderSsrc"`
	// End is what came after the viewer began to leave, in order.
	End []string `json:"end"`
	// Seconds is how long media was sent to it.
	Seconds float64 `json:"seconds"`
}

// Has tells whether a kind of compound RTCP packet came.
func (f Facts) Has(kind string) bool {
	return slices.ContainsFunc(f.RTCP, func(s Seen) bool { return s.Kind == kind })
}

// Seen is one kind of message and how often it came. Times are milliseconds since the keys were made, of STUN since the first message.
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
	// Packets is how many packets one feedback tells of, in the median.
	Packets int `json:"medianPackets"`
	// Bytes is the size of one, in the median.
	Bytes int `json:"medianBytes"`
	// OfVideo tells that the media SSRC named in it is the video's.
	OfVideo bool `json:"mediaSsrcIsVideo"`
}

// RepairFacts are about packets that were withheld until they were asked for, or for good.
type RepairFacts struct {
	Withheld int `json:"withheld"`
	Repaired int `json:"repaired"`
	// AskedOnce is how many of those that were sent when asked for were asked for exactly once.
	AskedOnce int `json:"askedOnce"`
	// Never is how many were withheld for good, TriesMost and RetryMs how often and how far apart those were asked for.
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

// tally counts kinds in the order in which they first came.
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
