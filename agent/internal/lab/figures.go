package lab

import (
	"time"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/sdp"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

// viewerCounts counts the viewers of one stream, or of all.
type viewerCounts struct{ playing, connecting, degraded int }

func (l *Lab) countViewers() map[*fanout.Stream]*viewerCounts {
	counts := map[*fanout.Stream]*viewerCounts{}
	for _, session := range l.peers.Sessions() {
		c := counts[session.Stream]
		if c == nil {
			c = &viewerCounts{}
			counts[session.Stream] = c
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
	return counts
}

func (l *Lab) streamFigures(counts map[*fanout.Stream]*viewerCounts) []protocol.LabStream {
	figures := []protocol.LabStream{} // an empty list, not null
	for _, s := range l.list() {
		l.mutex.Lock()
		f := protocol.LabStream{Stream: s.name, Source: s.source, AgeMs: time.Since(s.publishedAt).Milliseconds(),
			FPS: s.fps, BitrateKbps: s.kilobits, PacketsPerSecond: s.packet, Width: s.figures.Width,
			Height: s.figures.Height}
		live, publisher := s.live, s.publisher
		l.mutex.Unlock()
		if !live {
			continue
		}
		if s.sample != nil {
			f.VideoCodec, f.Width, f.Height = s.sample.Codec.String(), s.sample.Width, s.sample.Height
			if s.sample.HasAudio() {
				f.AudioCodec = sdp.AudioCodec
			}
		} else if publisher != nil {
			codecs := publisher.Codecs()
			f.VideoCodec, f.AudioCodec = codecs[media.Video], codecs[media.Audio]
		}
		if c := counts[s.fan]; c != nil {
			f.Viewers, f.Connecting = c.playing, c.connecting
		}
		if percent, known := s.fan.BudgetPercent(); known {
			f.BudgetPercent = &percent
		}
		figures = append(figures, f)
	}
	return figures
}

// measure computes the rates of published streams over the interval. A sample has its nominal rates, with or without
// viewers.
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
