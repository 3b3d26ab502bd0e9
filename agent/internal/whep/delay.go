package whep

import (
	"encoding/binary"

	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
)

// streamOf is the received stream of media with an SSRC; nil if there is none.
func (v *Viewer) streamOf(ssrc uint32) *mediaStream {
	switch {
	case v.room != nil:
		if track := v.room.bySSRC[ssrc]; track != nil {
			return &track.mediaStream
		}
	case ssrc == v.video.ssrc:
		return &v.video
	case ssrc == v.audio.ssrc:
		return &v.audio
	}
	return nil
}

// takeReport reads a sender report.
func (s *mediaStream) takeReport(packet []byte, at int64) {
	time := binary.BigEndian.Uint64(packet[8:])
	s.report = feedback.SenderReport{MiddleNTP: ntp.Middle(time), At: at}
	s.clock.Report(time, binary.BigEndian.Uint32(packet[16:]), s.ClockRate, at)
}

// readCapture reads the capture time of a packet, if one is due and the packet has it.
func (s *mediaStream) readCapture(packet []byte, extension uint8, timestamp uint32, at int64) {
	if !s.clock.WantsCapture(at) {
		return
	}
	if captured, found := rtp.CaptureTime(packet, extension); found {
		s.clock.Capture(captured, timestamp, s.ClockRate, at)
	}
}

// readDelay adds the delay of the latest packet to a reading; of several streams the longest is kept.
func (s *mediaStream) readDelay(into *viewer.Reading) {
	into.ClocksDiffer = into.ClocksDiffer || s.clock.Differs
	if delay, known := s.DelayNs(&s.clock); known && (into.DelayMethod == "" || delay > into.DelayNs) {
		into.DelayNs, into.DelayMethod = delay, s.clock.Method
	}
}
