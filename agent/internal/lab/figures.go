package lab

import (
	"time"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/media"
)

// StreamFigures describe a stream in a sample.
type StreamFigures struct {
	Stream           string  `json:"stream"`
	Source           string  `json:"source"`
	AgeMs            int64   `json:"ageMs"`
	Viewers          int     `json:"viewers"`
	Connecting       int     `json:"connecting"`
	VideoCodec       string  `json:"videoCodec,omitempty"`
	AudioCodec       string  `json:"audioCodec,omitempty"`
	Width            int     `json:"width,omitempty"`
	Height           int     `json:"height,omitempty"`
	FPS              float64 `json:"fps"`
	BitrateKbps      float64 `json:"bitrateKbps"`
	PacketsPerSecond float64 `json:"packetsPerSecond"`
	// BudgetPercent is how much of a made CPU budget is used; absent where there is none.
	BudgetPercent *float64 `json:"budgetPercent,omitempty"`
}

// crowd counts the viewers of one stream, or of all.
type crowd struct{ playing, connecting, degraded int }

func (l *Lab) crowds() map[*fanout.Stream]*crowd {
	crowds := map[*fanout.Stream]*crowd{}
	for _, session := range l.peers.Sessions() {
		c := crowds[session.Stream]
		if c == nil {
			c = &crowd{}
			crowds[session.Stream] = c
		}
		if session.State() != whep.Playing {
			c.connecting++
			continue
		}
		c.playing++
		if session.Degraded() {
			c.degraded++
		}
	}
	return crowds
}

func (l *Lab) streamFigures(crowds map[*fanout.Stream]*crowd) []StreamFigures {
	figures := []StreamFigures{} // an empty list, not null
	for _, s := range l.list() {
		l.mutex.Lock()
		f := StreamFigures{Stream: s.name, Source: s.source, AgeMs: time.Since(s.publishedAt).Milliseconds(), FPS: s.fps,
			BitrateKbps: s.kilobits, PacketsPerSecond: s.packet, Width: s.figures.Width, Height: s.figures.Height}
		live, publisher := s.live, s.publisher
		l.mutex.Unlock()
		if !live {
			continue
		}
		if s.sample != nil {
			f.VideoCodec, f.AudioCodec, f.Width, f.Height = "H264", "opus", s.sample.Width, s.sample.Height
		} else if publisher != nil {
			codecs := publisher.Codecs()
			f.VideoCodec, f.AudioCodec = codecs[media.Video], codecs[media.Audio]
		}
		if c := crowds[s.fan]; c != nil {
			f.Viewers, f.Connecting = c.playing, c.connecting
		}
		if percent, known := s.fan.BudgetPercent(); known {
			f.BudgetPercent = &percent
		}
		figures = append(figures, f)
	}
	return figures
}

// measure takes the rates of published streams over the interval. A sample's are its own, whether it has viewers or not.
func (l *Lab) measure(interval time.Duration) {
	seconds := interval.Seconds()
	for _, s := range l.list() {
		if s.sample != nil {
			continue
		}
		now := s.fan.Figures()
		l.mutex.Lock()
		s.fps = float64(now.Frames-s.figures.Frames) / seconds
		s.kilobits = float64(now.Bytes-s.figures.Bytes) * 8 / 1000 / seconds
		s.packet = float64(now.Packets-s.figures.Packets) / seconds
		s.figures = now
		l.mutex.Unlock()
	}
}
