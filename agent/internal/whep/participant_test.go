package whep

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep/dtlssrtp"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/sdp"
)

// echo is a server of one room, made of pion/webrtc: it sends a participant's own tracks back, as those of another
// one, in sections that it requests.
type echo struct {
	t          *testing.T
	connection *webrtc.PeerConnection
	handler    ParticipantHandler
	// repeated counts packets with a sequence number that arrived before; the server requests every tenth again.
	repeated, received atomic.Int64
	// silent: nothing is sent back.
	silent bool
	// restarts: later answers restart ICE, one before it has started and one when media flows.
	restarts bool
	// tcp, if set, accepts connections, and the server has candidates over TCP only.
	tcp net.Listener
}

func (e *echo) Exchange(_ context.Context, offer string, handler SessionHandler) (string, *failure.Failure) {
	e.handler = handler.(ParticipantHandler)
	engine := &webrtc.MediaEngine{}
	if err := engine.RegisterDefaultCodecs(); err != nil {
		e.t.Error(err)
	}
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	settings.DisableSRTPReplayProtection(true) // repeated packets are counted
	if e.restarts {                            // with the same port, as a server that has one for all media
		listener, err := net.ListenPacket("udp4", "127.0.0.1:0")
		if err != nil {
			return "", failure.New(failure.Signalling, protocol.CauseSilent, "%v.", err)
		}
		e.t.Cleanup(func() { _ = listener.Close() })
		settings.SetICEUDPMux(webrtc.NewICEUDPMux(nil, listener))
	}
	if e.tcp != nil {
		settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeTCP4})
		settings.SetICETCPMux(webrtc.NewICETCPMux(nil, e.tcp, 8))
	}
	registry := &interceptor.Registry{}
	if err := webrtc.ConfigureRTCPReports(registry); err != nil {
		e.t.Error(err)
	}
	connection, err := webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithSettingEngine(settings), webrtc.WithInterceptorRegistry(registry)).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return "", failure.New(failure.Signalling, protocol.CauseSilent, "%v.", err)
	}
	e.connection = connection
	e.handler.OnPublished([]string{"video"})
	if !e.silent {
		connection.OnTrack(func(from *webrtc.TrackRemote, _ *webrtc.RTPReceiver) { e.forward(from) })
	}
	first := e.answer(offer)
	if e.restarts {
		e.answer(strings.ReplaceAll(offer, "a=ice-ufrag:", "a=ice-ufrag:other"))
		e.handler.OnAnswer(e.answer(offer))
	}
	return first, nil
}

func (e *echo) answer(offer string) string {
	if err := e.connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
		e.t.Errorf("the offer: %v\n%s", err, offer)
		return ""
	}
	answer, err := e.connection.CreateAnswer(nil)
	if err != nil {
		e.t.Error(err)
		return ""
	}
	complete := webrtc.GatheringCompletePromise(e.connection)
	if err := e.connection.SetLocalDescription(answer); err != nil {
		e.t.Error(err)
		return ""
	}
	<-complete
	return e.connection.LocalDescription().SDP
}

func (e *echo) forward(from *webrtc.TrackRemote) {
	if from.Kind() != webrtc.RTPCodecTypeVideo {
		return
	}
	to, err := webrtc.NewTrackLocalStaticRTP(from.Codec().RTPCodecCapability, "video", "other")
	if err != nil {
		e.t.Error(err)
		return
	}
	if _, err := e.connection.AddTrack(to); err != nil {
		e.t.Error(err)
		return
	}
	offer := e.handler.OnSections(0, 1)
	if e.restarts {
		e.answer(strings.ReplaceAll(offer, "a=ice-ufrag:", "a=ice-ufrag:another"))
	}
	e.handler.OnAnswer(e.answer(offer))
	seen := map[uint16]bool{}
	for {
		packet, _, err := from.ReadRTP()
		if err != nil {
			return
		}
		if seen[packet.SequenceNumber] {
			e.repeated.Add(1)
			continue
		}
		seen[packet.SequenceNumber] = true
		if n := e.received.Add(1); n%10 == 0 {
			_ = e.connection.WriteRTCP([]rtcp.Packet{ // the connection may be closed
				&rtcp.TransportLayerNack{MediaSSRC: packet.SSRC, Nacks: rtcp.NackPairsFromSequenceNumbers([]uint16{packet.SequenceNumber})},
				&rtcp.PictureLossIndication{MediaSSRC: packet.SSRC}})
		}
		_ = to.WriteRTP(packet)
	}
}

func (e *echo) Disconnect(context.Context, bool) error {
	if e.connection == nil {
		return nil
	}
	return e.connection.Close()
}

// participate connects a participant of a room of two to an echo.
func participate(t *testing.T, server *echo) *Viewer {
	t.Helper()
	sample, err := media.Load("../../../assets/lab", "sample-240p")
	if err != nil {
		t.Fatal(err)
	}
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = loop.Close() })
	certificate, err := dtlssrtp.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	config := Config{Endpoint: &url.URL{Scheme: "http", Host: "127.0.0.1:9"}, StageTimeout: 20 * time.Second, Client: signalling.NewClient(), Loop: loop, Certificate: certificate,
		Room: &Room{Size: 2, Sample: sample}, NewSignaller: func() Signaller { return server }}
	if server.tcp != nil {
		if config.Streams, err = tcpreader.New(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = config.Streams.Close() })
	}
	group := NewGroup(config)
	v := group.New().(*Viewer)
	t.Cleanup(func() { _ = v.Disconnect(context.Background(), false) })
	if f := v.Connect(context.Background(), context.Background()); f != nil {
		t.Fatal(f)
	}
	return v
}

func TestAParticipantSendsItsSampleAndReceivesTheOthers(t *testing.T) {
	server := &echo{t: t, restarts: true}
	v := participate(t, server)
	deadline := time.Now().Add(40 * time.Second)
	for {
		v.Tick(monotonic.Now())
		v.Repair(monotonic.Nano())
		r := v.Read(monotonic.Now())
		if r.Failure != nil {
			t.Fatal(r.Failure)
		}
		if r.FirstFrameAt != 0 && r.Frames > 10 && r.Sent.Retransmitted > 1 && r.Sent.KeyframeRequests > 1 && server.repeated.Load() > 1 {
			if r.FirstPacketAt == 0 || r.FirstPacketAt > r.FirstFrameAt || r.Lost > 0 || r.Sent.Frames < r.Frames || r.Sent.Packets <= r.Packets {
				t.Errorf("%+v, sent %+v", r, r.Sent)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%+v, sent %+v, %d packets repeated", r, r.Sent, server.repeated.Load())
		}
		time.Sleep(20 * time.Millisecond)
	}
	detail := v.Detail()
	if len(detail.Streams) != 1 || detail.Streams[0].Kind != "video" || detail.Streams[0].Width != 426 {
		t.Errorf("%+v", detail.Streams)
	}
}

func TestAParticipantOverTCP(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	v := participate(t, &echo{t: t, tcp: listener})
	for deadline := time.Now().Add(40 * time.Second); v.Read(monotonic.Now()).Frames < 10; time.Sleep(20 * time.Millisecond) {
		if f := v.Tick(monotonic.Now()); f != nil || time.Now().After(deadline) {
			t.Fatalf("%v, %+v", f, v.Read(monotonic.Now()))
		}
	}
	if r := v.Read(monotonic.Now()); !r.OverTCP || r.Lost > 0 || r.Sent.Packets == 0 {
		t.Errorf("%+v", r)
	}
	route := v.Detail().Route
	if route.Protocol != "tcp" || route.Remote.String() != listener.Addr().String() || route.RemoteType != "host" || !route.Local.Addr().IsLoopback() || route.Local.Port() == 0 {
		t.Errorf("%+v", route)
	}
}

func TestManyRestartsHaveOneTimer(t *testing.T) {
	var sent atomic.Int64
	server := netip.MustParseAddrPort("127.0.0.1:9")
	v := &Viewer{room: newRoomMedia(&Room{Size: 2, Sample: &media.Sample{}})}
	v.ice = ice.New("ours", "password", 1, func([]byte, netip.AddrPort) error { sent.Add(1); return nil })
	v.ice.Start("theirs", "password", []netip.AddrPort{server})
	v.ice.Selected = server
	for i := range 100 {
		(*viewerSession)(v).OnAnswer(fmt.Sprintf("v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=ice-ufrag:again%d\r\na=ice-pwd:password\r\n", i))
	}
	time.Sleep(2*renominateInterval + renominateInterval/2)
	if count := sent.Load(); count < 2 || count > 50 { // a timer per restart would send hundreds
		t.Errorf("%d checks", count)
	}
	v.locked(func() { v.disconnecting = true })
	for isDue, deadline := true, time.Now().Add(20*time.Second); isDue; time.Sleep(10 * time.Millisecond) {
		v.locked(func() { isDue = v.room.isRenominating })
		if time.Now().After(deadline) {
			t.Fatal("the timer outlives the session")
		}
	}
}

func TestAParticipantFailsWithoutTheStreamsOfOthers(t *testing.T) {
	v := participate(t, &echo{t: t, silent: true})
	if f := v.Tick(monotonic.Now().Add(streamsTimeout - time.Second)); f != nil {
		t.Errorf("too early: %v", f)
	}
	// Consent is lost at that time too, but what is missing in the room is more specific.
	f := v.Tick(monotonic.Now().Add(streamsTimeout + time.Second))
	if f == nil || f.Cause.String() != "streams-missing" || f.Stage != failure.FirstPacket || !strings.HasPrefix(f.Detail, "0 of the 1 streams") {
		t.Errorf("%v", f)
	}
}

func TestViewersOfSeveralVideosSendNothing(t *testing.T) {
	v := NewGroup(Config{Room: &Room{Size: 3}}).New().(*Viewer)
	for _, section := range v.room.sections() {
		if section.Send != nil {
			t.Errorf("%+v", section)
		}
	}
	if reading := v.readRoom(1e9); reading.Sent != nil {
		t.Errorf("%+v", reading.Sent)
	}
}

func TestThoseWhoLeftAreNotMissed(t *testing.T) {
	v := &Viewer{group: NewGroup(Config{Room: &Room{Size: 3}}), room: &roomMedia{outgoing: []*outgoing{{}}}}
	gone := &roomTrack{isVideo: true, name: "one"}
	gone.frames.FirstAt, gone.frames.LastAt = 1, 1
	v.room.tracks = []*roomTrack{gone}
	now := int64(9e9)
	(*viewerSession)(v).OnPublished([]string{"one", "two"})
	if gap := v.readRoom(now).GapNs; gap != now-1 {
		t.Errorf("a gap of %d ns", gap)
	}
	(*viewerSession)(v).OnPublished([]string{"two"})
	if gap := v.readRoom(now).GapNs; gap != 0 {
		t.Errorf("a gap of %d ns of one who left", gap)
	}
}

func TestAPublisherWhoseServerRefusesPacketsIsLostUnlessItRespondsAgain(t *testing.T) {
	publishing := func() *sender {
		s := establishedIn(t, Config{Room: &Room{Size: 1}}, sdp.Answer{})
		s.viewer.room = newRoomMedia(s.viewer.group.Room)
		return s
	}
	s := publishing()
	s.viewer.room.feedbackAt = s.now.UnixNano()
	respondedAt := s.viewer.respondedAt()
	s.viewer.SocketError(syscall.ECONNREFUSED)
	for second := range 5 {
		if f := s.pulse(time.Second); f != nil || s.viewer.ice.ConsentSentAt != s.now.UnixNano() {
			t.Fatalf("after %d s: %v; checked %s ago", second, f, time.Duration(s.now.UnixNano()-s.viewer.ice.ConsentSentAt))
		}
	}
	if f := s.pulse(time.Second); f == nil || f.Stage != failure.Media || f.Cause.String() != "refused" || s.viewer.respondedAt() != respondedAt {
		t.Errorf("%v", f)
	}
	other := publishing()
	other.viewer.SocketError(syscall.ECONNREFUSED)
	for second := range 20 {
		other.viewer.room.feedbackAt = other.now.UnixNano()
		if f := other.pulse(time.Second); f != nil {
			t.Fatalf("after %d s, though the server reports: %v", second, f)
		}
	}
	silent := publishing()
	for second := range 25 {
		if f := silent.pulse(time.Second); f != nil {
			t.Fatalf("after %d s of silence: %v", second, f)
		}
	}
}

func FuzzReportsToASender(f *testing.F) {
	f.Add(byte(201), []byte{0x81, 201, 0, 7, 0, 0, 0, 1, 0, 0, 0, 9, 64, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, kind byte, packet []byte) {
		if len(packet) < 4 {
			return
		}
		o := &outgoing{}
		o.ssrc[media.Video] = 9
		o.report(kind, packet, 1e18)
		if o.sent.LossPercent < 0 || o.sent.LossPercent > 100 || o.sent.RoundTripNs < 0 {
			t.Errorf("%+v", o.sent)
		}
	})
}
