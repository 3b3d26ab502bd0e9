package whep

import (
	"math"
	"math/rand/v2"
	"time"

	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
)

// Realism is how closely a viewer follows a browser where that costs the tester or the server.
type Realism uint8

// The realisms. A lean viewer decrypts a sample, reports once a second and is always the DTLS client; what a server sees differs as
// little as TestTheServerSeesWhatABrowserSends tells. A full one decrypts everything and reports like a browser.
const (
	Lean Realism = iota
	Full
)

// ParseRealism reads the protocol's word, "" for the default.
func ParseRealism(word string) (realism Realism, known bool) {
	switch word {
	case "", "lean":
		return Lean, true
	case "full":
		return Full, true
	}
	return Lean, false
}

// DefaultDecryptPercent is the share of packets that are decrypted when nothing else is asked for.
const DefaultDecryptPercent = 0.2

const (
	// Feedback about the bandwidth is sent every 100 ms, or as often as Chromium sends it for a stream of a few hundred kbit/s.
	turnLength = 10 * time.Millisecond
	leanTurns  = 10
	fullTurns  = 6

	videoReportNs = 1e9
	audioReportNs = 5e9
	// Bandwidth estimates are sent where transport-wide feedback was not negotiated, once the estimate has settled.
	estimateNs      = 200e6
	firstEstimateNs = 5500e6
	// estimateShare is how far the estimate of a receiver may be above what comes, as in Chromium.
	estimateShare = 1.5
	estimateExtra = 10_000
)

// sample chooses the packets that are decrypted, each so many of all; step is the share of 2^32.
type sample struct {
	place, step uint32
	all         bool
}

// newSample begins at another place for each viewer.
func (c *Crowd) newSample() sample {
	if c.Realism == Full || c.DecryptPercent >= 100 {
		return sample{all: true}
	}
	return sample{place: rand.Uint32(), step: uint32(c.DecryptPercent / 100 * (math.MaxUint32 + 1))}
}

// due goes on by a packet and tells whether it is one of the sample.
func (s *sample) due() bool {
	s.place += s.step
	return s.place < s.step || s.all
}

// wideFeedback is what transport-wide feedback needs.
type wideFeedback struct {
	feedback.Arrivals
	extension uint8 // the id of the header extension
}

// numbered notes the transport-wide sequence number of a packet.
func (v *Viewer) numbered(data []byte, at int64) {
	sequence, found := rtp.TransportSequence(data, v.wide.extension)
	if found && v.wide.Receive(sequence, at) {
		b := scratch.Get().(*buffers)
		v.sendArrivals(b)
		scratch.Put(b)
	}
}

func (v *Viewer) sendArrivals(b *buffers) {
	ssrc := v.video.ssrc
	if v.video.Packets == 0 {
		ssrc = v.audio.ssrc
	}
	for v.wide.Pending() {
		v.send(b, v.wide.Append(b.plain[:0], receiverSSRC, ssrc))
	}
}

// Feedback sends what is due several times a second; false when the viewer leaves and needs no more turns.
func (v *Viewer) Feedback(now int64) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.leaving {
		return false
	}
	if v.outbound == nil || v.failure != nil {
		return true
	}
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	if v.wide != nil {
		v.sendArrivals(b)
	}
	if v.browser != nil {
		v.browser.reports(v, b, now)
	}
	return true
}

// browser is when a viewer of full realism reports next. Chromium reports each stream at a pace of its own, spread by half.
type browser struct {
	videoAt, audioAt, estimateAt int64
	countedAt                    int64
	counted                      uint64
	bitsPerSecond                float64
}

func spread(interval int64) int64 { return interval/2 + rand.Int64N(interval) }

func (w *browser) reports(v *Viewer, b *buffers, now int64) {
	if w.videoAt == 0 {
		w.videoAt, w.audioAt = v.establishedAt+videoReportNs/2, v.establishedAt+audioReportNs/2
		w.estimateAt, w.countedAt = v.establishedAt+firstEstimateNs, v.establishedAt
	}
	estimate := v.answer.Video.REMB && v.wide == nil && now >= w.estimateAt
	if v.video.Packets > 0 && (now >= w.videoAt || estimate) {
		packet := w.videoReport(v, b.plain[:0], now)
		if estimate {
			w.estimateAt = max(w.estimateAt+estimateNs, now) // at this rate, though turns come at their own
			packet = feedback.AppendREMB(packet, receiverSSRC, w.estimate(v, now), v.video.ssrc)
		}
		v.send(b, packet)
	}
	if v.audio.Packets > 0 && now >= w.audioAt {
		w.audioAt = now + spread(audioReportNs)
		v.send(b, v.appendReport(b.plain[:0], now, &v.audio))
	}
}

// videoReport adds the report about the video, which counts as the regular one.
func (w *browser) videoReport(v *Viewer, packet []byte, now int64) []byte {
	w.videoAt = now + spread(videoReportNs)
	return v.appendReport(packet, now, v.repairs, &v.video)
}

// estimate is the bandwidth that a receiver would tell, from what came since the last second.
func (w *browser) estimate(v *Viewer, now int64) uint64 {
	bytes := v.video.Bytes + v.audio.Bytes
	if passed := now - w.countedAt; passed >= 1e9 {
		w.bitsPerSecond = float64(bytes-w.counted) * 8e9 / float64(passed)
		w.countedAt, w.counted = now, bytes
	}
	return uint64(estimateShare*w.bitsPerSecond) + estimateExtra
}
