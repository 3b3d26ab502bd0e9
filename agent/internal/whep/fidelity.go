package whep

import (
	"math"
	"math/rand/v2"
	"time"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
)

// Fidelity is how closely a viewer follows a browser where that costs the tester or the server.
type Fidelity uint8

// The fidelities. A media-only viewer decrypts a sample, reports once a second and is always the DTLS client;
// src/engine/fidelity/reasons.ts lists the few differences that a server sees. Browser fidelity decrypts everything and
// reports like a browser.
const (
	MediaOnly Fidelity = iota
	Browser
)

// ParseFidelity parses the protocol's value, "" for the default.
func ParseFidelity(word protocol.Fidelity) (fidelity Fidelity, known bool) {
	switch word {
	case "", protocol.FidelityMediaOnly:
		return MediaOnly, true
	case protocol.FidelityBrowser:
		return Browser, true
	}
	return MediaOnly, false
}

const (
	// Feedback about the bandwidth is sent every 100 ms, or as often as Chromium sends it for a stream of a few hundred
	// kbit/s.
	turnLength     = 10 * time.Millisecond
	mediaOnlyTurns = 10
	browserTurns   = 6

	videoReportNs = 1e9
	audioReportNs = 5e9
	// Bandwidth estimates are sent if transport-wide feedback was not negotiated, once the estimate has settled.
	estimateNs      = 200e6
	firstEstimateNs = 5500e6
	// estimateShare is how far the estimate of a receiver may exceed the received bitrate, as in Chromium.
	estimateShare = 1.5
	estimateExtra = 10_000
)

// sample selects the packets to decrypt at even intervals; step is the share of 2^32.
type sampler struct {
	position, step uint32
	all            bool
}

// newSampler starts at another position for each viewer.
func (c *Group) newSampler() sampler {
	if c.Fidelity == Browser || c.DecryptPercent >= 100 {
		return sampler{all: true}
	}
	return sampler{position: rand.Uint32(), step: uint32(c.DecryptPercent / 100 * (math.MaxUint32 + 1))}
}

// due advances by a packet and reports whether it is one of the sample.
func (s *sampler) due() bool {
	s.position += s.step
	return s.position < s.step || s.all
}

// transportFeedback is the state of transport-wide feedback.
type transportFeedback struct {
	feedback.Arrivals
	extension uint8 // the id of the header extension
}

// recordArrival records the transport-wide sequence number of a packet.
func (v *Viewer) recordArrival(data []byte, at int64) {
	sequence, found := rtp.TransportSequence(data, v.transportCC.extension)
	if found && v.transportCC.Receive(sequence, at) {
		b := scratch.Get().(*buffers)
		v.sendArrivals(b)
		scratch.Put(b)
	}
}

func (v *Viewer) sendArrivals(b *buffers) {
	if v.room != nil {
		v.sendRoomArrivals(b)
		return
	}
	ssrc := v.video.ssrc
	if v.video.Packets == 0 {
		ssrc = v.audio.ssrc
	}
	for v.transportCC.Pending() {
		v.send(b, v.transportCC.Append(b.plain[:0], receiverSSRC, ssrc))
	}
}

// Feedback sends what is due several times a second; false when the viewer disconnects and needs no more turns.
func (v *Viewer) Feedback(now int64) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.disconnecting {
		return false
	}
	if v.outbound == nil || v.failure != nil {
		return true
	}
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	if v.transportCC != nil {
		v.sendArrivals(b)
	}
	if v.browser != nil {
		v.browser.reports(v, b, now)
	}
	return true
}

// browserReports is when a viewer of browser fidelity reports next. Chromium reports each stream at its own pace,
// spread by half.
type browserReports struct {
	videoAt, audioAt, estimateAt int64
	countedAt                    int64
	counted                      uint64
	bitsPerSecond                float64
}

func spread(interval int64) int64 { return interval/2 + rand.Int64N(interval) }

func (r *browserReports) reports(v *Viewer, b *buffers, now int64) {
	if r.videoAt == 0 {
		r.videoAt, r.audioAt = v.establishedAt+videoReportNs/2, v.establishedAt+audioReportNs/2
		r.estimateAt, r.countedAt = v.establishedAt+firstEstimateNs, v.establishedAt
	}
	estimate := v.answer.Video.REMB && v.transportCC == nil && now >= r.estimateAt
	if v.video.Packets > 0 && (now >= r.videoAt || estimate) {
		packet := r.videoReport(v, b.plain[:0], now)
		if estimate {
			r.estimateAt = max(r.estimateAt+estimateNs, now) // at this rate, although turns have their own
			packet = feedback.AppendREMB(packet, receiverSSRC, r.estimate(v, now), v.video.ssrc)
		}
		v.send(b, packet)
	}
	if v.audio.Packets > 0 && now >= r.audioAt {
		r.audioAt = now + spread(audioReportNs)
		v.send(b, v.appendReport(b.plain[:0], now, &v.audio))
	}
}

// videoReport adds the report about the video, which counts as the regular one.
func (r *browserReports) videoReport(v *Viewer, packet []byte, now int64) []byte {
	r.videoAt = now + spread(videoReportNs)
	return v.appendReport(packet, now, v.repairs, &v.video)
}

// estimate is the bandwidth that a receiver would report, from what it received since the last second.
func (r *browserReports) estimate(v *Viewer, now int64) uint64 {
	bytes := v.video.Bytes + v.audio.Bytes
	if passed := now - r.countedAt; passed >= 1e9 {
		r.bitsPerSecond = float64(bytes-r.counted) * 8e9 / float64(passed)
		r.countedAt, r.counted = now, bytes
	}
	return uint64(estimateShare*r.bitsPerSecond) + estimateExtra
}
