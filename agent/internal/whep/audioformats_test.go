package whep

import (
	"testing"
	"time"

	"github.com/pion/rtp"

	"fullhouse/agent/internal/whep/sdp"
)

// packetOf is an audio packet of 20 ms.
func packetOf(payloadType uint8, sequence int, clockRate float64) *rtp.Packet {
	return &rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: payloadType, SSRC: audioSSRC, SequenceNumber: uint16(sequence), Timestamp: uint32(float64(sequence) * clockRate / 25)}, Payload: make([]byte, 160)}
}

func track(payloadType uint8) sdp.Track {
	of, _ := sdp.AudioOf(payloadType)
	return of
}

// Packets are 40 ms apart by both clocks, so that the jitter is 0 only if the clock rate is right.
func TestEachAudioFormatIsCountedWithItsClockRate(t *testing.T) {
	for payloadType, codec := range map[uint8]string{0: "PCMU", 8: "PCMA", 9: "G722", 111: "opus"} {
		clockRate := 8000.0
		if codec == "opus" {
			clockRate = 48000
		}
		s := establishedIn(t, Config{}, sdp.Answer{})
		answer := s.viewer.answer
		answer.Audio = track(payloadType)
		s.viewer.accept(answer)
		s.deliver(video(1, true))
		for i := range 20 {
			if i != 10 { // lost
				s.deliver(packetOf(payloadType, i+1, clockRate))
			} else {
				s.now = s.now.Add(40 * time.Millisecond)
			}
		}
		for range 3 {
			s.pulse(time.Second)
		}
		reading, streams := s.viewer.Read(s.now), s.viewer.Detail().Streams
		if reading.Packets != 20 || reading.Lost != 1 || reading.AudioOnly || s.viewer.unknown != 0 {
			t.Errorf("%s: %+v, %d unknown", codec, reading, s.viewer.unknown)
		}
		if one := streams[1]; one.Kind != "audio" || one.Codec != codec || one.PayloadType != payloadType || one.ClockRate != clockRate || one.Packets != 19 || one.Lost != 1 || one.JitterMs > 0.01 {
			t.Errorf("%s: %+v", codec, one)
		}
	}
}

func TestPCMUIsNotCountedWithoutAudio(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{})
	answer := s.viewer.answer
	answer.Audio = sdp.Track{}
	s.viewer.accept(answer)
	s.deliver(video(1, true), packetOf(0, 1, 8000))
	if s.viewer.unknown != 1 || len(s.viewer.Detail().Streams) != 1 {
		t.Errorf("%d unknown, %+v", s.viewer.unknown, s.viewer.Detail().Streams)
	}
}

func TestAServerMaySwitchTheAudioFormat(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{OtherAudio: []sdp.Track{track(0)}})
	s.deliver(audio(1), packetOf(0, 2, 8000))
	if one := s.viewer.Detail().Streams[1]; one.Codec != "PCMU" || one.ClockRate != 8000 || one.PayloadType != 0 || one.Packets != 2 {
		t.Errorf("%+v", one)
	}
}

// A server without video: its audio is judged, unless it sends video after all.
func TestAStreamWithoutVideoIsJudgedByItsAudio(t *testing.T) {
	for name, change := range map[string]func(*sdp.Answer){
		"rejected":      func(a *sdp.Answer) { a.Video = sdp.Track{} },
		"not announced": func(a *sdp.Answer) { a.NoVideo = true },
	} {
		s := establishedIn(t, Config{}, sdp.Answer{})
		answer := s.viewer.answer
		change(&answer)
		s.viewer.accept(answer)
		s.deliver(audio(1), audio(2))
		for range 14 { // no timeout of a first frame
			if f := s.pulse(time.Second); f != nil {
				t.Fatalf("%s: %v", name, f)
			}
			s.viewer.ice.ConsentAt = s.now.UnixNano()
			s.deliver(audio(int(s.viewer.audio.Packets) + 1))
		}
		if r := s.viewer.Read(s.now); !r.AudioOnly || r.Packets != 16 || r.FirstFrameAt != r.FirstPacketAt {
			t.Errorf("%s: %+v", name, r)
		}
		if name == "rejected" {
			continue
		}
		s.deliver(video(1, true), video(2, false))
		if r := s.viewer.Read(s.now); r.AudioOnly || r.Frames != 2 {
			t.Errorf("%s, then video: %+v", name, r)
		}
	}
}
