package whep

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"

	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/whep/sdp"
)

// captureID is the id of abs-capture-time in the answer.
const captureID = 5

// report delivers a sender report: at this time before now the RTP timestamp was current.
func (s *sender) report(ssrc, timestamp uint32, before time.Duration) {
	s.t.Helper()
	data, err := (&rtcp.SenderReport{SSRC: ssrc, NTPTime: ntp.Timestamp(s.now.Add(-before).UnixNano()), RTPTime: timestamp}).Marshal()
	if err != nil {
		s.t.Fatal(err)
	}
	if data, err = s.context.EncryptRTCP(nil, data, nil); err != nil {
		s.t.Fatal(err)
	}
	s.viewer.Datagram(data, netip.AddrPort{}, s.now.UnixNano())
}

// captured adds a capture time: this long before the packet arrives.
func (s *sender) captured(packet *rtp.Packet, before time.Duration) *rtp.Packet {
	s.t.Helper()
	at := s.now.Add(40*time.Millisecond - before).UnixNano() // deliver advances the clock first
	if err := packet.SetExtension(captureID, binary.BigEndian.AppendUint64(nil, ntp.Timestamp(at))); err != nil {
		s.t.Fatal(err)
	}
	return packet
}

func (s *sender) checkDelay(what string, method protocol.DelayMethod, want time.Duration) {
	s.t.Helper()
	reading := s.viewer.Read(s.now)
	if distance := time.Duration(reading.DelayNs) - want; reading.DelayMethod != method || distance > 50*time.Microsecond || distance < -50*time.Microsecond {
		s.t.Errorf("%s: %s by %q, want %s by %q", what, time.Duration(reading.DelayNs), reading.DelayMethod, want, method)
	}
}

func TestTheDelayIsByReportsAndByCaptureTimesWhereNegotiated(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{CaptureTime: captureID})
	s.deliver(video(1, true))
	s.checkDelay("without a report", "", 0)
	s.report(audioSSRC, 0, 0)
	s.checkDelay("a report about a stream that is not received", "", 0)
	// Timestamps advance by 40 ms per packet, as the clock does.
	s.report(videoSSRC, 3600, 70*time.Millisecond)
	s.deliver(video(2, false), video(3, false))
	s.checkDelay("a report", protocol.DelayMethodSenderReport, 70*time.Millisecond)
	s.deliver(s.captured(video(4, false), 210*time.Millisecond), video(5, false))
	s.checkDelay("a capture time", protocol.DelayMethodCaptureTime, 210*time.Millisecond)
	s.report(videoSSRC, 5*3600, 70*time.Millisecond)
	s.deliver(video(6, false))
	s.checkDelay("a report after it", protocol.DelayMethodCaptureTime, 210*time.Millisecond)

	other := video(7, true)
	other.SSRC = videoSSRC + 1
	s.deliver(other)
	s.checkDelay("another source", "", 0)
}

func TestCaptureTimesThatWereNotNegotiatedAreNotRead(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{})
	s.deliver(s.captured(video(1, true), 210*time.Millisecond))
	s.checkDelay("an id without a meaning", "", 0)
}

func TestDamagedPacketsHaveNoCaptureTime(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{CaptureTime: captureID})
	s.context = keys(t, 9)
	s.deliver(s.captured(video(1, true), 210*time.Millisecond))
	s.checkDelay("other keys", "", 0)
}

func TestWithoutVideosReportTheDelayIsThatOfTheAudio(t *testing.T) {
	s := established(t)
	s.deliver(video(1, true), audio(1))
	s.report(audioSSRC, 2880, 25*time.Millisecond)
	s.checkDelay("audio", protocol.DelayMethodSenderReport, 25*time.Millisecond)
	s.report(videoSSRC, 3600, 5*time.Second)
	s.checkDelay("both", protocol.DelayMethodSenderReport, 5*time.Second-40*time.Millisecond)
}

func TestAnotherClockIsNoDelay(t *testing.T) {
	s := established(t)
	s.deliver(video(1, true))
	s.report(videoSSRC, 3600, 90*time.Minute)
	if reading := s.viewer.Read(s.now); reading.DelayMethod != "" || !reading.ClocksDiffer {
		t.Errorf("%+v", reading)
	}
}
