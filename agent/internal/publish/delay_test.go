package publish

import (
	"encoding/binary"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
)

const captureURI = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"

// clockServer is a WHIP server that reads what publishers state about their clock.
type clockServer struct {
	mutex   sync.Mutex
	reports []clockReport
	stamps  []clockReport
	packets []clockReport
}

// clockReport is a time of day of an RTP timestamp, and when it arrived, in Unix nanoseconds.
type clockReport struct {
	ssrc          uint32
	rate          float64
	at, arrivedAt int64
	timestamp     uint32
}

// after is how long after the other one the timestamp is, on its RTP clock.
func (r clockReport) after(other clockReport) time.Duration {
	return time.Duration(float64(int32(r.timestamp-other.timestamp)) / r.rate * float64(time.Second))
}

func configureCapture(engine *webrtc.MediaEngine) (err error) {
	for _, kind := range []webrtc.RTPCodecType{webrtc.RTPCodecTypeVideo, webrtc.RTPCodecTypeAudio} {
		err = errors.Join(err, engine.RegisterHeaderExtension(webrtc.RTPHeaderExtensionCapability{URI: captureURI}, kind))
	}
	return err
}

func (s *clockServer) read(_ *webrtc.PeerConnection, track *webrtc.TrackRemote, receiver *webrtc.RTPReceiver) {
	id := uint8(0)
	for _, one := range receiver.GetParameters().HeaderExtensions {
		if one.URI == captureURI {
			id = uint8(one.ID)
		}
	}
	rate := float64(track.Codec().ClockRate)
	go func() {
		for {
			packets, _, err := receiver.ReadRTCP()
			if err != nil {
				return
			}
			for _, packet := range packets {
				if report, ok := packet.(*rtcp.SenderReport); ok && report.SSRC == uint32(track.SSRC()) {
					s.add(&s.reports, clockReport{report.SSRC, rate, ntp.UnixNano(report.NTPTime), monotonic.Nano(), report.RTPTime})
				}
			}
		}
	}()
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		one := clockReport{packet.SSRC, rate, 0, monotonic.Nano(), packet.Timestamp}
		s.add(&s.packets, one)
		if value := packet.GetExtension(id); len(value) == 8 {
			one.at = ntp.UnixNano(binary.BigEndian.Uint64(value))
			s.add(&s.stamps, one)
		}
	}
}

func (s *clockServer) add(to *[]clockReport, one clockReport) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	*to = append(*to, one)
}

func TestPublishersStateTheirTimeOfDay(t *testing.T) {
	server := &clockServer{}
	p, _ := newPublications(t)
	url := serveWHIP(t, configureCapture, server.read, func(answer string) string { return answer })
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: protocol.PublishProtocolWHIP, URL: url, Sample: "sample-240p"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "reports and capture times of both streams", func() bool {
		server.mutex.Lock()
		defer server.mutex.Unlock()
		return len(server.reports) >= 8 && len(server.stamps) >= 8
	})
	server.mutex.Lock()
	defer server.mutex.Unlock()
	latest := map[uint32]clockReport{}
	for _, report := range server.reports {
		if late := time.Duration(report.arrivedAt - report.at); late < 0 || late > 5*time.Second {
			t.Errorf("a report states a time %s before it arrived", late)
		}
		if first, known := latest[report.ssrc]; known {
			if drift := time.Duration(report.at-first.at) - report.after(first); drift.Abs() > time.Millisecond {
				t.Errorf("two reports differ by %s", drift)
			}
		} else {
			latest[report.ssrc] = report
		}
	}
	if len(latest) != 2 {
		t.Fatalf("reports about %d streams", len(latest))
	}
	for _, stamp := range server.stamps {
		if off := time.Duration(stamp.at-latest[stamp.ssrc].at) - stamp.after(latest[stamp.ssrc]); off.Abs() > time.Millisecond {
			t.Errorf("a capture time differs from the reports by %s", off)
		}
	}
	if share := float64(len(server.stamps)) / float64(len(server.packets)); share > 0.2 {
		t.Errorf("%.0f %% of the packets have a capture time", 100*share)
	}
	// Frames are captured when they are due, and sent within some milliseconds.
	earliest := time.Duration(math.MaxInt64)
	for _, packet := range server.packets {
		report := latest[packet.ssrc]
		earliest = min(earliest, time.Duration(packet.arrivedAt-report.at)-packet.after(report))
	}
	if earliest < -time.Millisecond || earliest > 200*time.Millisecond {
		t.Errorf("the fastest packet took %s", earliest)
	}
}
