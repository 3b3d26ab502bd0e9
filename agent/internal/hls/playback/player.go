// Package playback is a model of a player's buffer: what is appended is played at its own speed, and the player rebuffers
// when nothing is left. It has no clock; every time is Unix nanoseconds. Terms as in CTA-2066: start-up time, rebuffering
// (rebuffering), live latency.
package playback

import (
	"math"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/stats"
)

// resumeAfter is how much must be buffered before playback starts or continues, about what a browser's decoder wants.
const resumeAfter = int64(100 * time.Millisecond)

// Piece is a segment, or a part of one, that was received completely.
type Piece struct {
	Duration time.Duration
	// Frames is the number of video frames; negative while unknown. It may be shared.
	Frames *atomic.Int64
	// At is the time of day of its start, Unix nanoseconds; 0 if unknown.
	At int64
}

type state int

const (
	starting state = iota
	playing
	rebuffering
)

// Player plays one stream. The zero value waits for media.
type Player struct {
	// StartedAt is when playback started, 0 before.
	StartedAt int64
	// Rebufferings are of any length, Stalls those of stats.StallNs or more.
	Rebufferings, Stalls uint64
	RebufferedNs         int64 // of ended rebufferings
	StalledNs            int64 // of ended stalls
	// FreezeCount and FreezeMs are by the rule of W3C webrtc-stats: displayed frames have a constant distance otherwise.
	FreezeCount, FreezeMs uint32
	state                 state
	at                    int64 // until when all is accounted for
	position              int64 // played media
	end                   int64 // buffered media of the video
	audioEnd              int64
	hasAudio              bool
	pieces                []Piece // from the one that is played
	pieceStart            int64   // of the first of them, on the scale of position
	framesBefore          int64   // of the pieces that were played completely
	framesShown           int64
	framesANs             float64 // of the latest piece with known frames, per nanosecond
	rebufferingAt         int64
	isCounted             bool // the ongoing rebuffering is in Stalls already
	longestNs             int64
}

// HasSeparateAudio makes the player wait for audio too.
func (p *Player) HasSeparateAudio() { p.hasAudio = true }

// Append adds a piece of the video, or of audio and video.
func (p *Player) Append(piece Piece, now int64) {
	p.Advance(now)
	p.pieces = append(p.pieces, piece)
	p.end += int64(piece.Duration)
	p.resume(now)
}

// AppendAudio adds a piece of separate audio.
func (p *Player) AppendAudio(duration time.Duration, now int64) {
	p.Advance(now)
	p.audioEnd += int64(duration)
	p.resume(now)
}

// Ahead is how much media is buffered beyond what has been played.
func (p *Player) Ahead() time.Duration { return time.Duration(p.playable() - p.position) }

// AheadOfVideo and AheadOfAudio are the same of one track.
func (p *Player) AheadOfVideo() time.Duration { return time.Duration(p.end - p.position) }

// AheadOfAudio is how much separate audio is buffered beyond what has been played.
func (p *Player) AheadOfAudio() time.Duration { return time.Duration(p.audioEnd - p.position) }

func (p *Player) playable() int64 {
	if p.hasAudio {
		return min(p.end, p.audioEnd)
	}
	return p.end
}

func (p *Player) resume(now int64) {
	if p.state == playing || p.playable()-p.position < resumeAfter {
		return
	}
	if p.state == rebuffering {
		took := now - p.rebufferingAt
		p.RebufferedNs += took
		p.longestNs = max(p.longestNs, took)
		if took >= stats.StallNs {
			if !p.isCounted {
				p.Stalls++
			}
			p.StalledNs += took
		}
		p.isCounted = false
		p.countFreeze(took)
	} else {
		p.StartedAt = now
	}
	p.state, p.at = playing, now
}

// countFreeze counts a rebuffering that makes the interval between two frames a freeze.
func (p *Player) countFreeze(tookNs int64) {
	if p.framesANs == 0 {
		return // no video, or it is not known yet
	}
	frameNs := 1 / p.framesANs
	if interval := int64(frameNs+float64(tookNs)) / 1e6; stats.IsFreezeAfter(int64(frameNs)/1e6, interval) {
		p.FreezeCount++
		p.FreezeMs += uint32(interval)
	}
}

// Advance plays until now.
func (p *Player) Advance(now int64) {
	if p.state != playing || now <= p.at {
		return
	}
	left := p.playable() - p.position
	if took := now - p.at; took < left {
		p.position += took
	} else {
		p.position += left
		p.state, p.rebufferingAt = rebuffering, p.at+left
		p.Rebufferings++
	}
	p.at = now
	for len(p.pieces) > 0 && p.pieceStart+int64(p.pieces[0].Duration) <= p.position {
		p.framesBefore += int64(math.Round(p.framesOf(&p.pieces[0])))
		p.pieceStart += int64(p.pieces[0].Duration)
		p.pieces[0] = Piece{}
		p.pieces = p.pieces[1:]
	}
}

// framesOf is how many frames a piece has; estimated by the one before while unknown.
func (p *Player) framesOf(piece *Piece) float64 {
	if piece.Frames != nil && piece.Duration > 0 {
		if frames := piece.Frames.Load(); frames >= 0 {
			p.framesANs = float64(frames) / float64(piece.Duration)
		}
	}
	return p.framesANs * float64(piece.Duration)
}

// Frames is how many frames have been shown until the time of the latest Advance.
func (p *Player) Frames() uint64 {
	framesPlayed := p.framesBefore
	if len(p.pieces) > 0 {
		piece := &p.pieces[0]
		if frames := p.framesOf(piece); piece.Duration > 0 {
			// A frame is shown at its time, despite rounding.
			framesPlayed += int64(frames*float64(p.position-p.pieceStart)/float64(piece.Duration) + 1e-6)
		}
	}
	p.framesShown = max(p.framesShown, framesPlayed)
	return uint64(p.framesShown)
}

// RebufferingFor is the length of the ongoing rebuffering, 0 without one. It counts a stall that this has become.
func (p *Player) RebufferingFor(now int64) int64 {
	if p.state != rebuffering {
		return 0
	}
	took := now - p.rebufferingAt
	if took >= stats.StallNs && !p.isCounted {
		p.isCounted = true
		p.Stalls++
	}
	return took
}

// StalledUntil is the total time stalled, including an ongoing stall.
func (p *Player) StalledUntil(now int64) int64 {
	if took := p.RebufferingFor(now); took >= stats.StallNs {
		return p.StalledNs + took
	}
	return p.StalledNs
}

// TakeLongest returns the longest rebuffering that ended since the last call.
func (p *Player) TakeLongest() int64 {
	longest := p.longestNs
	p.longestNs = 0
	return longest
}

// Behind is how far playback is behind the source by its times of day, at a time of day; false if it has none.
func (p *Player) Behind(timeOfDay time.Time) (nanoseconds int64, isKnown bool) {
	if p.state == starting || len(p.pieces) == 0 || p.pieces[0].At == 0 {
		return 0, false
	}
	return timeOfDay.UnixNano() - (p.pieces[0].At + p.position - p.pieceStart), true
}
