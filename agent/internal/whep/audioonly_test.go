package whep

import (
	"testing"
	"time"

	"fullhouse/agent/internal/whep/sdp"
)

func TestAViewerOfAudioOnlyIsJudgedByIt(t *testing.T) {
	s := establishedIn(t, Config{AudioOnly: true}, sdp.Answer{})
	s.deliver(audio(1), audio(2), audio(3))
	r := s.viewer.Read(s.now)
	if !r.AudioOnly || r.Packets != 3 || r.Frames != 0 || r.FirstFrameAt == 0 || r.FirstFrameAt != r.FirstPacketAt || !r.HasJitter || r.GapNs != 0 {
		t.Errorf("%+v", r)
	}
	for range 13 { // no timeout of a first frame
		if f := s.pulse(time.Second); f != nil {
			t.Fatal(f)
		}
		s.viewer.ice.ConsentAt = s.now.UnixNano()
		s.deliver(audio(int(s.viewer.audio.Packets) + 1))
	}
	if r := s.viewer.Read(s.now); r.Stalls != 13 || r.StalledNs < 13*1e9 || r.Lost != 0 {
		t.Errorf("%+v", r)
	}
	s.deliver(audio(18))
	s.pulse(time.Second)
	if r := s.viewer.Read(s.now); r.Lost != 1 || r.Expected != 18 {
		t.Errorf("%+v", r)
	}
}
