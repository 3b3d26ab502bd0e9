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
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
)

const (
	closeTimeout = 3 * time.Second
	// keyframeEvery is the minimum interval of keyframes sent on request.
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
	signaller *signalling.Client
}

// overWHIP publishes the sample's video and audio.
func overWHIP(endpoint *url.URL, params protocol.AudiencePublishParams, sample *media.Sample) (publisher, error) {
	api, err := newAPI(endpoint, sample.Codec)
	if err != nil {
		return nil, fmt.Errorf("preparing WebRTC failed: %w", err)
	}
	w := &whip{endpoint: endpoint, token: params.BearerToken, sample: sample, api: api, signaller: signalling.NewClient()}
	w.signaller.AllowCrossOrigin = params.AllowCrossOrigin
	return w.publish, nil
}

// formats are the parameters of each codec in the offer.
var formats = map[rtppayload.Codec]struct{ mimeType, parameters string }{
	rtppayload.H264: {webrtc.MimeTypeH264, "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"},
	rtppayload.H265: {webrtc.MimeTypeH265, "level-id=93;profile-id=1;tier-flag=0;tx-mode=SRST"},
	rtppayload.VP8:  {webrtc.MimeTypeVP8, ""},
	rtppayload.VP9:  {webrtc.MimeTypeVP9, "profile-id=0"},
	rtppayload.AV1:  {webrtc.MimeTypeAV1, "level-idx=5;profile=0;tier=0"},
}

// codecs are the offered ones: of video only the sample's.
func codecs(of rtppayload.Codec) (video, audio webrtc.RTPCodecCapability) {
	feedback := []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}, {Type: "ccm", Parameter: "fir"}}
	video = webrtc.RTPCodecCapability{MimeType: formats[of].mimeType, ClockRate: uint32(media.Video.ClockRate()), RTCPFeedback: feedback,
		SDPFmtpLine: formats[of].parameters}
	audio = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: uint32(media.Audio.ClockRate()), Channels: 2, SDPFmtpLine: "minptime=10;useinbandfec=1"}
	return video, audio
}

func newAPI(endpoint *url.URL, codec rtppayload.Codec) (*webrtc.API, error) {
	engine := &webrtc.MediaEngine{}
	video, audio := codecs(codec)
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
		return fmt.Errorf("creating the WebRTC connection failed: %w", err)
	}
	// States are reported by pion's own goroutine; the latest one counts.
	connected, lost := make(chan struct{}, 1), make(chan struct{}, 1)
	connection.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		switch state {
		case webrtc.PeerConnectionStateConnected:
			note(connected)
		case webrtc.PeerConnectionStateFailed, webrtc.PeerConnectionStateClosed:
			note(lost)
		}
	})
	keyframeRequests := make(chan struct{}, 1)
	tracks, err := addTracks(connection, w.sample, keyframeRequests)
	var session *url.URL
	if err == nil {
		session, err = w.signal(ctx, connection)
	}
	if err == nil {
		err = w.connected(ctx, connection, connected, lost)
	}
	if err == nil && ctx.Err() == nil {
		a.live()
		err = w.play(ctx, &player{tracks: tracks, sample: w.sample, meter: a.meter, keyframeRequests: keyframeRequests}, lost)
	}
	if ctx.Err() != nil {
		err = nil // the attempt was cancelled; only closing the session may still fail
	}
	if session != nil && a.forced.Err() == nil {
		sessionErr, cancel := context.WithTimeout(a.forced, closeTimeout)
		defer cancel()
		if leaveErr := w.signaller.Delete(sessionErr, w.endpoint, session, w.token); err == nil {
			err = leaveErr
		}
	}
	if closeErr := connection.GracefulClose(); err == nil {
		err = closeErr
	}
	return w.redact(err)
}

func note(channel chan<- struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}

// signal sends the offer and applies the answer. The returned session has to be closed later, even if the answer was
// invalid.
func (w *whip) signal(ctx context.Context, connection *webrtc.PeerConnection) (session *url.URL, err error) {
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		return nil, fmt.Errorf("creating the offer failed: %w", err)
	}
	gatheringDone := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(offer); err != nil {
		return nil, fmt.Errorf("applying the offer failed: %w", err)
	}
	select {
	case <-gatheringDone:
	case <-time.After(stageTimeout):
		return nil, fmt.Errorf("gathering local ICE candidates took longer than %s", stageTimeout)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	posting, cancel := context.WithTimeout(ctx, stageTimeout)
	defer cancel()
	answer, f := w.signaller.Post(posting, w.endpoint, w.token, connection.LocalDescription().SDP)
	if f != nil {
		return nil, refusal(f)
	}
	if err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer.Body}); err != nil {
		return answer.Session, fmt.Errorf("the answer of %s is invalid: %w", w.endpoint.Host, err)
	}
	return answer.Session, nil
}

// refusal explains the reasons that the user can fix.
func refusal(f *failure.Failure) error {
	detail := strings.TrimSuffix(f.Detail, ".")
	switch f.Cause {
	case "http-401", "http-403":
		return fmt.Errorf("the server refused the credentials for this stream; check the token: %s", detail)
	case "http-409":
		return fmt.Errorf("the stream name is in use already: %s", detail)
	case "http-404":
		return fmt.Errorf("the server has no WHIP endpoint at this address: %s", detail)
	}
	return errors.New(detail)
}

// redact removes the address's parameters from a sentence: they may contain a key.
func (w *whip) redact(err error) error {
	if err == nil || w.endpoint.RawQuery == "" || !strings.Contains(err.Error(), w.endpoint.RawQuery) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), w.endpoint.RawQuery, "…"))
}

// connected waits for ICE and DTLS.
func (w *whip) connected(ctx context.Context, connection *webrtc.PeerConnection, connected, lost <-chan struct{}) error {
	timer := time.NewTimer(2 * stageTimeout)
	defer timer.Stop()
	select {
	case <-connected:
		return nil
	case <-ctx.Done():
		return nil // stopped, not failed
	case <-timer.C:
	case <-lost:
	}
	if connection.ICEConnectionState() == webrtc.ICEConnectionStateConnected {
		return fmt.Errorf("%s accepted the offer, but the DTLS handshake failed", w.endpoint.Host)
	}
	return fmt.Errorf("%s accepted the offer, but its media address does not respond (ICE). UDP may be blocked, or the server announces an unreachable address", w.endpoint.Host)
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
		return fmt.Errorf("%s closed the connection, or did not respond for 15 s", w.endpoint.Host)
	case <-ended:
		return nil
	}
}

// addTracks makes one track of each kind that the sample has; keyframeRequests receives those of the server.
func addTracks(connection *webrtc.PeerConnection, sample *media.Sample, keyframeRequests chan<- struct{}) (tracks [media.Kinds]*webrtc.TrackLocalStaticRTP, err error) {
	video, audio := codecs(sample.Codec)
	for kind, capability := range map[media.Kind]webrtc.RTPCodecCapability{media.Video: video, media.Audio: audio} {
		if kind == media.Audio && !sample.HasAudio() {
			continue
		}
		if tracks[kind], err = webrtc.NewTrackLocalStaticRTP(capability, kind.String(), "fullhouse"); err != nil {
			return tracks, fmt.Errorf("creating a track failed: %w", err)
		}
		transceiver, err := connection.AddTransceiverFromTrack(tracks[kind], webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly})
		if err != nil {
			return tracks, fmt.Errorf("adding a track failed: %w", err)
		}
		go readReports(transceiver.Sender(), keyframeRequests)
	}
	return tracks, nil
}

// readReports ends with the connection.
func readReports(sender *webrtc.RTPSender, keyframeRequests chan<- struct{}) {
	for {
		packets, _, err := sender.ReadRTCP()
		if err != nil {
			return
		}
		for _, packet := range packets {
			switch packet.(type) {
			case *rtcp.PictureLossIndication, *rtcp.FullIntraRequest:
				note(keyframeRequests)
			}
		}
	}
}

// player sends the sample's packets in a loop.
type player struct {
	tracks           [media.Kinds]*webrtc.TrackLocalStaticRTP
	sample           *media.Sample
	meter            *meter
	keyframeRequests <-chan struct{}
}

func (p *player) run(ctx context.Context) {
	c := newClock()
	var sequence [media.Kinds]uint16
	var offset [media.Kinds]uint32
	for kind := range sequence {
		sequence[kind], offset[kind] = uint16(rand.Uint32()), rand.Uint32()
	}
	atFrame := true // the next video packet starts a picture
	picture := int64(0)
	var granted time.Time
	packets := p.sample.Packets
	for i := 0; ; i++ {
		if i == len(packets) {
			i = 0
			c.shift += p.sample.Duration
		}
		packet := &packets[i]
		if packet.Kind == media.Video && atFrame {
			if !packet.Keyframe && time.Since(granted) >= keyframeEvery && p.keyframeRequested() {
				granted = time.Now()
				i = p.jump(c, i)
				packet = &packets[i]
			}
		}
		at, ok := c.wait(ctx, packet.At)
		if !ok {
			return
		}
		payload := packet.Payload
		if packet.Kind == media.Video {
			if media.HasPictureID(p.sample.Codec) {
				payload = media.WithPictureID(p.sample.Codec, payload, picture)
			}
			if atFrame = packet.Marker; packet.Marker {
				picture++
				p.meter.frames.Add(1)
			}
		}
		header := rtp.Header{Version: 2, Marker: packet.Marker, SequenceNumber: sequence[packet.Kind],
			Timestamp: offset[packet.Kind] + uint32(int64(at)*packet.Kind.ClockRate()/int64(time.Second))}
		sequence[packet.Kind]++
		// An error means that the connection ends, which its state reports.
		_ = p.tracks[packet.Kind].WriteRTP(&rtp.Packet{Header: header, Payload: payload})
		p.meter.bytes.Add(uint64(rtpHeader + len(payload)))
	}
}

func (p *player) keyframeRequested() bool {
	select {
	case <-p.keyframeRequests:
		return true
	default:
		return false
	}
}

// jump goes to the sample's next keyframe, which takes the place of picture i in time: the stream's clock continues
// without a gap.
func (p *player) jump(c *clock, i int) (to int) {
	packets := p.sample.Packets
	for to = (i + 1) % len(packets); !packets[to].Keyframe; to = (to + 1) % len(packets) {
	}
	c.shift += packets[i].At - packets[to].At
	return to
}
