package fanout

import (
	"net"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/ntp"
)

const profile = srtp.ProtectionProfileAeadAes128Gcm

// readUntil decrypts what arrives: the first report about the video, and the video packets until then and one more.
func readUntil(t *testing.T, player *net.UDPConn) (report rtcp.SenderReport, packets []rtp.Packet, arrivedAt []int64) {
	t.Helper()
	if err := player.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	context, buffer := keys(t, profile), make([]byte, 2048)
	for report.NTPTime == 0 || len(packets) == 0 {
		n, err := player.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		at := monotonic.Nano()
		if buffer[1] != uint8(rtcp.TypeSenderReport) {
			plain, err := context.DecryptRTP(nil, buffer[:n], nil)
			var packet rtp.Packet
			if err != nil || packet.Unmarshal(plain) != nil {
				t.Fatalf("not a packet: %v", err)
			}
			if packet.PayloadType == 102 {
				packets, arrivedAt = append(packets, packet), append(arrivedAt, at)
			}
			continue
		}
		plain, err := context.DecryptRTCP(nil, buffer[:n], nil)
		if err != nil {
			t.Fatal(err)
		}
		compound, err := rtcp.Unmarshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		if one := compound[0].(*rtcp.SenderReport); report.NTPTime == 0 && len(packets) > 0 && one.SSRC == packets[0].SSRC {
			report = *one
		}
	}
	return report, packets, arrivedAt
}

func startLoop(t *testing.T) (*Loop, *net.UDPConn) {
	t.Helper()
	socket, player := loopbackSocket(t), loopbackSocket(t)
	loop, err := Start(socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(loop.Close)
	return loop, player
}

// The viewers measure the delay since the publisher, whatever its clock and whatever the lab adds.
func TestTheReportsOfALiveStreamHaveThePublishersClock(t *testing.T) {
	for _, ahead := range []time.Duration{0, 300 * time.Millisecond, -5 * time.Hour, 20 * 365 * 24 * time.Hour} {
		loop, player := startLoop(t)
		stream := NewLive(func() {})
		stream.SetCodec(rtppayload.H264)
		sentAt := monotonic.Nano() + int64(ahead) - int64(700*time.Millisecond) // it took this long to arrive
		stream.Push(media.Video, 1, 5000, true, []byte{0x65, 1, 2, 3})
		stream.SetClockReference(media.Video, sentAt, 5000)
		for range 3 { // later viewers get each packet a few milliseconds later
			loop.Add(viewerOf(t, stream, loopbackSocket(t), profile))
		}
		loop.Add(viewerOf(t, stream, player, profile))
		stop := make(chan struct{})
		go func() {
			for i := uint16(2); ; i++ {
				select {
				case <-stop:
					return
				case <-time.After(20 * time.Millisecond):
					stream.Push(media.Video, i, 5000+uint32(i-1)*1800, true, []byte{0x65, 1, 2, 3})
				}
			}
		}()
		report, _, _ := readUntil(t, player)
		close(stop)
		ticks := float64(int32(report.RTPTime - 5000))
		if off := time.Duration(ntp.UnixNano(report.NTPTime)-sentAt) - time.Duration(ticks/90000*float64(time.Second)); off.Abs() > time.Millisecond {
			t.Errorf("a clock %s ahead: the mapping is off by %s", ahead, off)
		}
		if age := time.Duration(monotonic.Nano() + int64(ahead) - ntp.UnixNano(report.NTPTime)); age < -2*time.Second || age > 5*time.Second {
			t.Errorf("a clock %s ahead: the report is of %s ago", ahead, age)
		}
	}
}

func TestTheReportsOfTheSampleHaveTheTimeOfSending(t *testing.T) {
	for _, played := range []time.Duration{0, time.Minute + 700*time.Millisecond} { // the second viewer is behind the stream
		loop, player := startLoop(t)
		stream := NewSample(loadSample(t))
		stream.started = stream.started.Add(-played)
		loop.Add(viewerOf(t, stream, player, profile))
		report, packets, arrivedAt := readUntil(t, player)
		fastest := time.Hour
		for i, packet := range packets {
			ticks := float64(int32(packet.Timestamp - report.RTPTime))
			fastest = min(fastest, time.Duration(arrivedAt[i]-ntp.UnixNano(report.NTPTime))-time.Duration(ticks/90000*float64(time.Second)))
		}
		if fastest < -time.Millisecond || fastest > 200*time.Millisecond {
			t.Errorf("after %s of the sample: the fastest packet took %s", played, fastest)
		}
	}
}

// A step of the publisher's clock moves the reports with it.
func TestAPublishersClockThatIsSet(t *testing.T) {
	stream := NewLive(func() {})
	now := monotonic.Nano()
	stream.SetClockReference(media.Video, now, 5000)
	stream.SetClockReference(media.Audio, now+10e6, 700)
	if ahead := stream.senderAhead.Load(); ahead != 0 {
		t.Errorf("%d ns ahead within a second", ahead)
	}
	for _, step := range []int64{int64(time.Hour), -int64(time.Hour)} {
		stream.SetClockReference(media.Video, now+step, 5000)
		if off := stream.SenderNow() - monotonic.Nano() - step; off < -1e9 || off > 1e9 {
			t.Errorf("after a step of %s: off by %s", time.Duration(step), time.Duration(off))
		}
	}
}
