// Package publisher publishes the measured stream to an origin over WHIP.
package publisher

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/signalling"
)

const (
	timeout    = 10 * time.Second
	videoType  = 102
	audioType  = 111
	nameInSDP  = "measure"
	h264Format = "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"
)

// Publisher is one publication.
type Publisher struct {
	endpoint   *url.URL
	signaller  *signalling.Client
	connection *webrtc.PeerConnection
	session    *url.URL
	tracks     [media.Kinds]*webrtc.TrackLocalStaticRTP
	requested  chan struct{}
}

// Publish connects; Play sends.
func Publish(ctx context.Context, endpoint *url.URL) (*Publisher, error) {
	p := &Publisher{endpoint: endpoint, signaller: signalling.NewClient(), requested: make(chan struct{}, 1)}
	video := webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeH264, ClockRate: 90000, SDPFmtpLine: h264Format,
		RTCPFeedback: []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}}}
	audio := webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2, SDPFmtpLine: "minptime=10;useinbandfec=1"}
	engine, registry := &webrtc.MediaEngine{}, &interceptor.Registry{}
	if err := errors.Join(
		engine.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: video, PayloadType: videoType}, webrtc.RTPCodecTypeVideo),
		engine.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: audio, PayloadType: audioType}, webrtc.RTPCodecTypeAudio),
		webrtc.ConfigureNack(engine, registry), webrtc.ConfigureRTCPReports(registry)); err != nil {
		return nil, err
	}
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetInterfaceFilter(func(name string) bool { return name == "lo" })
	var err error
	api := webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))
	if p.connection, err = api.NewPeerConnection(webrtc.Configuration{}); err != nil {
		return nil, err
	}
	if err := p.connect(ctx, [media.Kinds]webrtc.RTPCodecCapability{video, audio}); err != nil {
		return nil, errors.Join(err, p.connection.Close())
	}
	return p, nil
}

func (p *Publisher) connect(ctx context.Context, codecs [media.Kinds]webrtc.RTPCodecCapability) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	connected := make(chan struct{}, 1)
	p.connection.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		if state == webrtc.PeerConnectionStateConnected {
			connected <- struct{}{}
		}
	})
	for kind := range media.Kinds {
		track, err := webrtc.NewTrackLocalStaticRTP(codecs[kind], kind.String(), nameInSDP)
		if err != nil {
			return err
		}
		sender, err := p.connection.AddTrack(track)
		if err != nil {
			return err
		}
		p.tracks[kind] = track
		go p.readRequests(sender)
	}
	offer, err := p.connection.CreateOffer(nil)
	if err != nil {
		return err
	}
	gathered := webrtc.GatheringCompletePromise(p.connection)
	if err := p.connection.SetLocalDescription(offer); err != nil {
		return err
	}
	<-gathered
	answer, refusal := p.signaller.Post(ctx, p.endpoint, signalling.Identity{}, p.connection.LocalDescription().SDP)
	if refusal != nil {
		return errors.New(refusal.Detail)
	}
	p.session = answer.Session
	if err := p.connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer.Body}); err != nil {
		return err
	}
	select {
	case <-connected:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s accepted the offer, but the connection was not established within %s", p.endpoint, timeout)
	}
}

// readRequests ends with the connection.
func (p *Publisher) readRequests(sender *webrtc.RTPSender) {
	for {
		packets, _, err := sender.ReadRTCP()
		if err != nil {
			return
		}
		for _, packet := range packets {
			if _, isKeyframeRequest := packet.(*rtcp.PictureLossIndication); isKeyframeRequest {
				select {
				case p.requested <- struct{}{}:
				default:
				}
			}
		}
	}
}

// Play sends the sample in a loop until ctx ends. A keyframe request is served with the next frame.
func (p *Publisher) Play(ctx context.Context, sample *media.Sample) error {
	startTime := time.Now()
	var sequence [media.Kinds]uint16
	var shift time.Duration // of the sample's times
	atFrame := true
	for i := 0; ; i++ {
		if i == len(sample.Packets) {
			i, shift = 0, shift+sample.Duration
		}
		packet := &sample.Packets[i]
		if packet.Kind == media.Video && atFrame && !packet.Keyframe && p.keyframeRequested() {
			shift += packet.At // the loop restarts here
			i, packet = 0, &sample.Packets[0]
		}
		due := shift + packet.At
		if wait := due - time.Since(startTime); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil
			}
		}
		if packet.Kind == media.Video {
			atFrame = packet.Marker
		}
		header := rtp.Header{Version: 2, Marker: packet.Marker, SequenceNumber: sequence[packet.Kind],
			Timestamp: uint32(int64(due/time.Millisecond) * packet.Kind.ClockRate() / 1000)}
		sequence[packet.Kind]++
		if err := p.tracks[packet.Kind].WriteRTP(&rtp.Packet{Header: header, Payload: packet.Payload}); err != nil {
			return fmt.Errorf("publishing to %s failed: %w", p.endpoint, err)
		}
	}
}

func (p *Publisher) keyframeRequested() bool {
	select {
	case <-p.requested:
		return true
	default:
		return false
	}
}

// Close ends the publication.
func (p *Publisher) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var err error
	if p.session != nil {
		err = p.signaller.Delete(ctx, p.endpoint, p.session, signalling.Identity{})
	}
	return errors.Join(err, p.connection.Close())
}
