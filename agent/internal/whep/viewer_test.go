package whep

import (
	"bytes"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep/dtlssrtp"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/sdp"
)

const (
	videoSSRC = 7
	audioSSRC = 8
)

// sender is the server of an established viewer: it encrypts for it.
type sender struct {
	t       testing.TB
	viewer  *Viewer
	context *srtp.Context
	now     time.Time
	sink    *net.UDPConn // receives what the viewer sends
}

func keys(t testing.TB, fill byte) *srtp.Context {
	t.Helper()
	context, err := srtp.CreateContext(bytes.Repeat([]byte{fill}, 16), bytes.Repeat([]byte{fill}, 12), srtp.ProtectionProfileAeadAes128Gcm)
	if err != nil {
		t.Fatal(err)
	}
	return context
}

// established makes a viewer as it is after DTLS.
func established(t testing.TB) *sender {
	t.Helper()
	return establishedIn(t, Config{DecryptPercent: protocol.AudienceStartDecryptPercentDefault}, sdp.Answer{})
}

// establishedIn makes a viewer of a group, from an answer with its tracks filled in.
func establishedIn(t testing.TB, config Config, answer sdp.Answer) *sender {
	t.Helper()
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	sink, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	peer := sink.LocalAddr().(*net.UDPAddr).AddrPort()
	config.StageTimeout, config.Loop = 5*time.Second, loop
	v := &Viewer{group: NewGroup(config)}
	if v.socket, err = loop.Open(false, v); err != nil {
		t.Fatal(err)
	}
	if err := v.socket.Connect(peer); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _, _ = v.socket.Close(), loop.Close(), sink.Close()
	})
	now := time.Now()
	answer.Video.PayloadType, answer.Video.ClockRate, answer.Video.NACK, answer.Video.PLI = 102, 90000, true, true
	if answer.Video.Codec == rtppayload.None {
		answer.Video.Codec = rtppayload.H264
	}
	answer.Audio.PayloadType, answer.Audio.ClockRate = 111, 48000
	answer.Candidates = []sdp.Candidate{{Address: peer}}
	v.accept(answer)
	v.ice = ice.Agent{LocalUfrag: "l", RemoteUfrag: "r", LocalPassword: "x", RemotePassword: "y", Send: v.sendTo, Selected: peer, ConsentAt: now.UnixNano(), ConsentSentAt: now.UnixNano()}
	v.inbound, v.outbound = keys(t, 1), keys(t, 2)
	v.establishedAt = now.UnixNano()
	return &sender{t: t, viewer: v, context: keys(t, 1), now: now, sink: sink}
}

func (s *sender) encrypt(packet *rtp.Packet) []byte {
	s.t.Helper()
	data, err := packet.Marshal()
	if err != nil {
		s.t.Fatal(err)
	}
	encrypted, err := s.context.EncryptRTP(nil, data, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return encrypted
}

func video(sequence int, keyframe bool) *rtp.Packet {
	payload := append([]byte{0x41, 0x9a}, make([]byte, 300)...)
	if keyframe {
		payload[0] = 0x65
	}
	return &rtp.Packet{Header: rtp.Header{Version: 2, Marker: true, PayloadType: 102, SSRC: videoSSRC, SequenceNumber: uint16(sequence), Timestamp: uint32(sequence) * 3600}, Payload: payload}
}

func audio(sequence int) *rtp.Packet {
	return &rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 111, SSRC: audioSSRC, SequenceNumber: uint16(sequence), Timestamp: uint32(sequence) * 2880}, Payload: make([]byte, 60)}
}

// deliver passes packets to the viewer, 40 ms apart.
func (s *sender) deliver(packets ...*rtp.Packet) {
	for _, packet := range packets {
		s.now = s.now.Add(40 * time.Millisecond)
		s.viewer.Datagram(s.encrypt(packet), netip.AddrPort{}, s.now.UnixNano())
	}
}

// pulse advances time and returns the viewer's failure.
func (s *sender) pulse(after time.Duration) *failure.Failure {
	s.now = s.now.Add(after)
	return s.viewer.Tick(s.now)
}

func TestSampledPacketsDecryptFarBeyondTheSequenceNumbersWrap(t *testing.T) {
	s := established(t)
	for i := range 140000 { // wraps twice
		s.deliver(video(65000+i, i == 0))
	}
	reading := s.viewer.Read(s.now)
	if reading.Packets != 140000 || reading.Lost != 0 || s.viewer.damaged != 0 || reading.Frames != 140000 {
		t.Errorf("%+v, %d damaged", reading, s.viewer.damaged)
	}
}

func TestTimeOutsAndEndsOfAnEstablishedViewer(t *testing.T) {
	for _, test := range []struct {
		name  string
		play  func(*sender)
		after time.Duration
		stage failure.Stage
		cause string
	}{
		{"nothing received", func(*sender) {}, 6 * time.Second, failure.FirstPacket, "silent"},
		{"not yet", func(*sender) {}, 4 * time.Second, "", ""},
		{"other keys", func(s *sender) { s.context = keys(t, 9); s.deliver(video(1, true), video(2, false)) }, 6 * time.Second, failure.FirstPacket, "undecryptable"},
		{"other payload types", func(s *sender) { p := video(1, true); p.PayloadType = 96; s.deliver(p) }, 6 * time.Second, failure.FirstPacket, "payload-type"},
		{"the port is closed", func(s *sender) { s.viewer.SocketError(syscall.ECONNREFUSED) }, 6 * time.Second, failure.FirstPacket, "refused"},
		{"it stops", func(s *sender) { s.deliver(video(1, true)) }, 11 * time.Second, failure.Media, "silent"},
		{"no keyframe", func(s *sender) {
			for i := range 400 {
				s.deliver(video(i, false))
			}
		}, 0, failure.FirstFrame, "no-keyframe"},
		{"audio only", func(s *sender) {
			for i := range 400 {
				s.deliver(audio(i))
			}
		}, 0, failure.FirstFrame, "no-video"},
		{"no consent", func(s *sender) {
			for i := range 800 {
				s.deliver(video(i, i == 0))
			}
		}, 0, failure.Media, "consent-lost"},
		{"RTCP BYE", func(s *sender) {
			data, err := (&rtcp.Goodbye{Sources: []uint32{videoSSRC}}).Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if data, err = s.context.EncryptRTCP(nil, data, nil); err != nil {
				t.Fatal(err)
			}
			s.viewer.Datagram(data, netip.AddrPort{}, s.now.UnixNano())
		}, 0, failure.Media, "rtcp-bye"},
		{"the keys change midway", func(s *sender) {
			s.deliver(video(1, true), video(2, false), video(3, false), video(4, false), video(5, false))
			s.context = keys(t, 9)
			for i := range 3 * 512 {
				s.deliver(video(6+i, false))
			}
		}, 0, failure.Media, "undecryptable"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := established(t)
			test.play(s)
			f := s.pulse(test.after)
			switch {
			case test.cause == "" && f != nil:
				t.Errorf("%v", f)
			case test.cause != "" && (f == nil || f.Stage != test.stage || f.Cause.String() != test.cause || f.Detail == ""):
				t.Errorf("%v, want %s %s", f, test.stage, test.cause)
			}
		})
	}
}

func TestSenderReportsAreReturnedInReceiverReports(t *testing.T) {
	s := established(t)
	s.deliver(video(1, true))
	report, err := (&rtcp.SenderReport{SSRC: videoSSRC, NTPTime: 0x1111222233334444}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if report, err = s.context.EncryptRTCP(nil, report, nil); err != nil {
		t.Fatal(err)
	}
	s.viewer.Datagram(report, netip.AddrPort{}, s.now.UnixNano())
	packets, err := rtcp.Unmarshal(s.viewer.appendReport(nil, s.now.Add(time.Second/2).UnixNano(), &s.viewer.video, &s.viewer.audio))
	if err != nil {
		t.Fatal(err)
	}
	block := packets[0].(*rtcp.ReceiverReport).Reports[0]
	if block.SSRC != videoSSRC || block.LastSenderReport != 0x22223333 || block.Delay != 32768 {
		t.Errorf("%+v", block)
	}
}

func TestPacketsBeforeTheKeysAreKept(t *testing.T) {
	s := established(t)
	v := s.viewer
	inbound := v.inbound
	v.inbound, v.pipe = nil, dtlssrtp.NewPipe(func([]byte) error { return nil }, nil)
	s.deliver(video(1, true), video(2, false))
	if len(v.early) != 2 || v.firstPacketAt != 0 {
		t.Fatalf("%d kept", len(v.early))
	}
	for range 2 * maxEarly {
		s.deliver(video(3, false))
	}
	if len(v.early) != maxEarly {
		t.Errorf("%d kept, want at most %d", len(v.early), maxEarly)
	}
	v.inbound = inbound
}

func FuzzDatagram(f *testing.F) {
	f.Add([]byte{0x80, 102, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7})
	f.Add([]byte{21, 254, 253})
	f.Add([]byte{0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42})
	s := established(f)
	f.Fuzz(func(_ *testing.T, data []byte) {
		s.viewer.Datagram(data, netip.MustParseAddrPort("127.0.0.1:9"), 1)
	})
}

// BenchmarkDatagram is a packet from the loop through a viewer, in the steady state.
func BenchmarkDatagram(b *testing.B) {
	s := established(b)
	var packets [][]byte
	for i := range 1 << 16 {
		packets = append(packets, s.encrypt(video(i, i == 0)))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		// The server's rollover counter only fits the first round, so each round is a new session for the viewer.
		if i%(1<<16) == 0 {
			s.viewer.video.Stream = stats.Stream{ClockRate: 90000, GapTimeout: stats.GapTimeoutWithRepair, Frames: &s.viewer.frames}
		}
		s.viewer.Datagram(packets[i%(1<<16)], netip.AddrPort{}, int64(1.7e18)+int64(i)*40e6)
	}
}

func TestALongPathGetsTimeForRepairs(t *testing.T) {
	s := established(t)
	for _, test := range []struct{ trip, waitTimeout int64 }{{1e6, stats.GapTimeoutWithRepair}, {300e6, 650e6}, {5e9, maxGapTimeout}} {
		s.viewer.ice.RoundTripNs = test.trip
		s.viewer.Tick(s.now)
		if s.viewer.video.GapTimeout != test.waitTimeout {
			t.Errorf("a round trip of %d ns gets %d ns, want %d", test.trip, s.viewer.video.GapTimeout, test.waitTimeout)
		}
	}
}
