package lab

import (
	"time"

	"fullhouse/agent/internal/lab/whip"
)

// adopt assigns the publisher to the stream, unless it has ended meanwhile.
func (l *Lab) adopt(s *stream, publisher *whip.Publisher) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if s.ended {
		return false
	}
	s.publisher = publisher
	return true
}

func (l *Lab) publisherOf(s *stream) *whip.Publisher {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return s.publisher
}

// goLive makes the stream visible, at its first packet.
func (l *Lab) goLive(s *stream) {
	l.mutex.Lock()
	first := !s.live && !s.ended
	if first {
		s.live, s.publishedAt = true, time.Now()
	}
	l.mutex.Unlock()
	if first {
		l.published(s)
	}
}

// lost ends the stream of a publisher that is gone.
func (l *Lab) lost(s *stream, reason string) {
	if _, err := l.endStream(s, reason); err != nil {
		l.config.Log.Printf("Closing the publisher of %s failed: %v.", s.name, err)
	}
}

func (l *Lab) isLive(s *stream) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return s.live
}

func (l *Lab) hasEnded(s *stream) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return s.ended
}
