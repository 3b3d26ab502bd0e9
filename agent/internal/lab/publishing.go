package lab

import (
	"time"

	"fullhouse/agent/internal/lab/whip"
)

// adopt gives the stream its publisher, unless it has ended meanwhile.
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

// goLive makes the stream visible: its first packet is here.
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
		l.config.Log.Printf("The publisher of %s did not close well: %v.", s.name, err)
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
