package publish

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/nack"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/signalling"
)

const (
	goodbyePatience = 3 * time.Second
	// keyframeEvery bounds how often a server's wish for a keyframe is granted.
	keyframeEvery = 500 * time.Millisecond
	rtpHeader     = 12

	videoPayload, audioPayload = 102, 111
)

// whip publishes to one endpoint.
type whip struct {
	endpoint  *url.URL
	token     string
	sample    *media.Sample
	api       *webrtc.API
	signaller *signalling.Signaller
}

// byWHIP publishes the sample's video and audio.
func byWHIP(endpoint *url.URL, params Params, sample *media.Sample) (protocol, error) {
	api, err := newAPI(endpoint)
	if err != nil {
		return nil, fmt.Errorf("WebRTC can't be prepared: %w", err)
	}
	w := &whip{endpoint: endpoint, token: params.BearerToken, sample: sample, api: api, signaller: signalling.NewSignaller()}
	w.signaller.AllowCrossOrigin = params.AllowCrossOrigin
	return w.publish, nil
}

func codecs() (video, audio webrtc.RTPCodecCapability) {
	feedback := []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}, {Type: "ccm", Parameter: "fir"}}
	video = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeH264, ClockRate: uint32(media.Video.ClockRate()), RTCPFeedback: feedback,
		SDPFmtpLine: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"}
	audio = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: uint32(media.Audio.ClockRate()), Channels: 2, SDPFmtpLine: "minptime=10;useinbandfec=1"}
	return video, audio
}

func newAPI(endpoint *url.URL) (*webrtc.API, error) {
	engine := &webrtc.MediaEngine{}
	video, audio := codecs()
	registry := &interceptor.Registry{}
	responder, err := nack.NewResponderInterceptor()
	if err != nil {
		return nil, err
	}
	registry.Add(responder)
	if err := errors.Join(
		engine.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: video, PayloadType: videoPayload}, webrtc.RTPCodecTypeVideo),
		engine.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: audio, PayloadType: audioPayload}, webrtc.RTPCodecTypeAudio),
		webrtc.ConfigureRTCPReports(registry)); err != nil {
		return nil, err
	}
	settings := webrtc.SettingEngine{}
	ip := net.ParseIP(endpoint.Hostname())
	settings.SetIncludeLoopbackCandidate(endpoint.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
	settings.SetICETimeouts(5*time.Second, 10*time.Second, 2*time.Second)
	return webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings)), nil
}

func (w *whip) publish(ctx context.Context, a attempt) error {
	connection, err := w.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return fmt.Errorf("no WebRTC connection can be made: %w", err)
	}
	// States come from pion's own goroutine; the latest one counts.
	connected, lost := make(chan struct{}, 1), make(chan struct{}, 1)
	connection.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		switch state {
		case webrtc.PeerConnectionStateConnected:
			note(connected)
		case webrtc.PeerConnectionStateFailed, webrtc.PeerConnectionStateClosed:
			note(lost)
		}
	})
	wanted := make(chan struct{}, 1)
	tracks, err := addTracks(connection, wanted)
	var session *url.URL
	if err == nil {
		session, err = w.signal(ctx, connection)
	}
	if err == nil {
		err = w.connected(ctx, connection, connected, lost)
	}
	if err == nil && ctx.Err() == nil {
		a.live()
		err = w.play(ctx, &player{tracks: tracks, sample: w.sample, meter: a.meter, wanted: wanted}, lost)
	}
	if ctx.Err() != nil {
		err = nil // what failed was given up; what may still fail is the goodbye
	}
	if session != nil && a.forced.Err() == nil {
		goodbye, cancel := context.WithTimeout(a.forced, goodbyePatience)
		defer cancel()
		if leaveErr := w.signaller.Delete(goodbye, w.endpoint, session, w.token); err == nil {
			err = leaveErr
		}
	}
	if closeErr := connection.GracefulClose(); err == nil {
		err = closeErr
	}
	return w.discreet(err)
}

func note(channel chan<- struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}

// signal makes the offer, sends it and takes the answer. The session is what to end later, also when the answer was of no use.
func (w *whip) signal(ctx context.Context, connection *webrtc.PeerConnection) (session *url.URL, err error) {
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		return nil, fmt.Errorf("no offer can be made: %w", err)
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(offer); err != nil {
		return nil, fmt.Errorf("the offer can't be used: %w", err)
	}
	select {
	case <-gathered:
	case <-time.After(stagePatience):
		return nil, fmt.Errorf("this machine did not find its own addresses within %s", stagePatience)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	posting, cancel := context.WithTimeout(ctx, stagePatience)
	defer cancel()
	answer, f := w.signaller.Post(posting, w.endpoint, w.token, connection.LocalDescription().SDP)
	if f != nil {
		return nil, refusal(f)
	}
	if err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer.Body}); err != nil {
		return answer.Session, fmt.Errorf("the answer of %s can't be used: %w", w.endpoint.Host, err)
	}
	return answer.Session, nil
}

// refusal tells the reasons that a person can do something about.
func refusal(f *failure.Failure) error {
	detail := strings.TrimSuffix(f.Detail, ".")
	switch f.Cause {
	case "http-401", "http-403":
		return fmt.Errorf("the server wants other credentials for this stream; check the token: %s", detail)
	case "http-409":
		return fmt.Errorf("the name of the stream is taken already: %s", detail)
	case "http-404":
		return fmt.Errorf("the server has no such WHIP address: %s", detail)
	}
	return errors.New(detail)
}

// discreet takes parameters of the address out of a sentence: they may hold a key.
func (w *whip) discreet(err error) error {
	if err == nil || w.endpoint.RawQuery == "" || !strings.Contains(err.Error(), w.endpoint.RawQuery) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), w.endpoint.RawQuery, "…"))
}

// connected waits for ICE and DTLS.
func (w *whip) connected(ctx context.Context, connection *webrtc.PeerConnection, connected, lost <-chan struct{}) error {
	timer := time.NewTimer(2 * stagePatience)
	defer timer.Stop()
	select {
	case <-connected:
		return nil
	case <-ctx.Done():
		return nil // asked to leave, which is no fault
	case <-timer.C:
	case <-lost:
	}
	if connection.ICEConnectionState() == webrtc.ICEConnectionStateConnected {
		return fmt.Errorf("%s took the offer, but no DTLS connection came about", w.endpoint.Host)
	}
	return fmt.Errorf("%s took the offer, but its media address does not answer (ICE); UDP may be blocked on the way, or the server announces an address that can't be reached from here", w.endpoint.Host)
}

func (w *whip) play(ctx context.Context, p *player, lost <-chan struct{}) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.run(ctx)
	}()
	select {
	case <-lost:
		cancel()
		<-ended
		return fmt.Errorf("%s ended the connection, or has not been heard of for 15 s", w.endpoint.Host)
	case <-ended:
		return nil
	}
}

// addTracks makes one track of each kind; wanted hears of wishes for a keyframe.
func addTracks(connection *webrtc.PeerConnection, wanted chan<- struct{}) (tracks [media.Kinds]*webrtc.TrackLocalStaticRTP, err error) {
	video, audio := codecs()
	for kind, capability := range map[media.Kind]webrtc.RTPCodecCapability{media.Video: video, media.Audio: audio} {
		if tracks[kind], err = webrtc.NewTrackLocalStaticRTP(capability, kind.String(), "fullhouse"); err != nil {
			return tracks, fmt.Errorf("no track can be made: %w", err)
		}
		transceiver, err := connection.AddTransceiverFromTrack(tracks[kind], webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly})
		if err != nil {
			return tracks, fmt.Errorf("no track can be added: %w", err)
		}
		go readReports(transceiver.Sender(), wanted)
	}
	return tracks, nil
}

// readReports ends with the connection.
func readReports(sender *webrtc.RTPSender, wanted chan<- struct{}) {
	for {
		packets, _, err := sender.ReadRTCP()
		if err != nil {
			return
		}
		for _, packet := range packets {
			switch packet.(type) {
			case *rtcp.PictureLossIndication, *rtcp.FullIntraRequest:
				note(wanted)
			}
		}
	}
}

// player sends the sample's packets in a loop.
type player struct {
	tracks [media.Kinds]*webrtc.TrackLocalStaticRTP
	sample *media.Sample
	meter  *meter
	wanted <-chan struct{}
}

func (p *player) run(ctx context.Context) {
	c := newClock()
	var sequence [media.Kinds]uint16
	var offset [media.Kinds]uint32
	for kind := range sequence {
		sequence[kind], offset[kind] = uint16(rand.Uint32()), rand.Uint32()
	}
	atFrame := true // the next video packet begins a picture
	var granted time.Time
	packets := p.sample.Packets
	for i := 0; ; i++ {
		if i == len(packets) {
			i = 0
			c.shift += p.sample.Duration
		}
		packet := &packets[i]
		if packet.Kind == media.Video && atFrame {
			if !packet.Keyframe && time.Since(granted) >= keyframeEvery && p.asked() {
				granted = time.Now()
				i = p.jump(c, i)
				packet = &packets[i]
			}
		}
		at, ok := c.wait(ctx, packet.At)
		if !ok {
			return
		}
		if packet.Kind == media.Video {
			if atFrame = packet.Marker; packet.Marker {
				p.meter.frames.Add(1)
			}
		}
		header := rtp.Header{Version: 2, Marker: packet.Marker, SequenceNumber: sequence[packet.Kind],
			Timestamp: offset[packet.Kind] + uint32(int64(at)*packet.Kind.ClockRate()/int64(time.Second))}
		sequence[packet.Kind]++
		// An error means that the connection ends, which its state tells.
		_ = p.tracks[packet.Kind].WriteRTP(&rtp.Packet{Header: header, Payload: packet.Payload})
		p.meter.bytes.Add(uint64(rtpHeader + len(packet.Payload)))
	}
}

func (p *player) asked() bool {
	select {
	case <-p.wanted:
		return true
	default:
		return false
	}
}

// jump goes to the sample's next keyframe, which takes the place of picture i in time: the stream's clock goes on without a gap.
func (p *player) jump(c *clock, i int) (to int) {
	packets := p.sample.Packets
	for to = (i + 1) % len(packets); !packets[to].Keyframe; to = (to + 1) % len(packets) {
	}
	c.shift += packets[i].At - packets[to].At
	return to
}
