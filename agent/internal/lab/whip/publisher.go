// Package whip serves publishers: few of them, so each is a full WebRTC peer connection, on loopback.
package whip

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/ntp"
)

const keyframeEvery = 500 * time.Millisecond

// ErrNoCodec is wrapped when the offer sends nothing that the lab supports.
var ErrNoCodec = errors.New("no codec in common")

// Sink receives what a publisher sends.
type Sink interface {
	// SetCodec sets the codec of the video, before its first packet.
	SetCodec(codec rtppayload.Codec)
	Push(kind media.Kind, sequence uint16, timestamp uint32, marker bool, payload []byte)
	// SetClockReference maps an RTP timestamp to a time of the publisher's clock, in Unix nanoseconds.
	SetClockReference(kind media.Kind, senderNs int64, timestamp uint32)
}

// Publishers make Publisher values; they share one WebRTC engine.
type Publishers struct {
	api *webrtc.API
}

// videoCodecs are the accepted codecs and their parameters. The answer has H.264 first, since every viewer supports it,
// and a publisher that offers several usually sends the first one of the answer.
var videoCodecs = []struct{ mimeType, parameters string }{
	{webrtc.MimeTypeH264, "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"},
	{webrtc.MimeTypeH264, "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f"},
	{webrtc.MimeTypeVP8, ""},
	{webrtc.MimeTypeVP9, "profile-id=0"},
	{webrtc.MimeTypeAV1, "profile=0"},
	{webrtc.MimeTypeH265, ""},
}

// simulcastLines of an offer are left out: the lab publishes one layer, which a sender then sends by its SSRC.
var simulcastLines = regexp.MustCompile(`(?m)^a=(rid|simulcast):.*\r?\n`)

// firstPayloadType is that of the first video codec; the others follow.
const firstPayloadType = 96

func videoParameters() (codecs []webrtc.RTPCodecParameters) {
	feedback := []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}, {Type: "ccm", Parameter: "fir"}}
	for number, codec := range videoCodecs {
		codecs = append(codecs, webrtc.RTPCodecParameters{PayloadType: webrtc.PayloadType(firstPayloadType + number),
			RTPCodecCapability: webrtc.RTPCodecCapability{MimeType: codec.mimeType, ClockRate: 90000, RTCPFeedback: feedback,
				SDPFmtpLine: codec.parameters}})
	}
	return codecs
}

// New prepares the engine for publishers with a supported video codec and Opus, who send to this address of the machine and to no other.
func New(address netip.Addr) (*Publishers, error) {
	engine := &webrtc.MediaEngine{}
	for _, codec := range videoParameters() {
		if err := engine.RegisterCodec(codec, webrtc.RTPCodecTypeVideo); err != nil {
			return nil, err
		}
	}
	opus := webrtc.RTPCodecParameters{PayloadType: 111, RTPCodecCapability: webrtc.RTPCodecCapability{
		MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2, SDPFmtpLine: "minptime=10;useinbandfec=1"}}
	if err := engine.RegisterCodec(opus, webrtc.RTPCodecTypeAudio); err != nil {
		return nil, err
	}
	registry := &interceptor.Registry{}
	if err := errors.Join(webrtc.ConfigureNack(engine, registry), webrtc.ConfigureRTCPReports(registry),
		webrtc.ConfigureTWCCSender(engine, registry)); err != nil {
		return nil, err
	}
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(address.IsLoopback())
	settings.SetIPFilter(func(ip net.IP) bool { return ip.Equal(address.AsSlice()) })
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	settings.SetICETimeouts(3*time.Second, 10*time.Second, 2*time.Second)
	settings.SetLite(true)
	return &Publishers{api: webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))}, nil
}

// Publisher is one WHIP session.
type Publisher struct {
	connection *webrtc.PeerConnection
	sink       Sink
	onMedia    func()
	onEnd      func(reason string)

	mediaOnce, endOnce sync.Once
	readers            sync.WaitGroup
	keyframeWanted     chan struct{}
	done               chan struct{}

	mutex  sync.Mutex
	codecs [media.Kinds]string
	video  webrtc.SSRC
}

// Publish answers an offer. onMedia is called once, at the first packet; onEnd once, if the connection ends from the
// publisher's side.
func (p *Publishers) Publish(offer string, sink Sink, onMedia func(), onEnd func(reason string)) (*Publisher, string, error) {
	connection, err := p.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return nil, "", err
	}
	publisher := &Publisher{connection: connection, sink: sink, onMedia: onMedia, onEnd: onEnd,
		keyframeWanted: make(chan struct{}, 1), done: make(chan struct{})}
	connection.OnTrack(publisher.takeTrack)
	connection.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		switch state {
		case webrtc.PeerConnectionStateFailed:
			publisher.end("its publisher timed out after 10 s")
		case webrtc.PeerConnectionStateClosed:
			publisher.end("its publisher disconnected")
		}
	})
	answer, err := publisher.answer(offer)
	if err != nil {
		return nil, "", errors.Join(err, publisher.Close())
	}
	publisher.readers.Add(1)
	go publisher.sendKeyframeRequests()
	return publisher, answer, nil
}

func (p *Publisher) answer(offer string) (string, error) {
	offer = simulcastLines.ReplaceAllString(offer, "")
	if err := p.connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
		return "", fmt.Errorf("invalid offer: %w", err)
	}
	for _, transceiver := range p.connection.GetTransceivers() {
		codecs := transceiver.Receiver().GetParameters().Codecs
		isOther := func(codec webrtc.RTPCodecParameters) int {
			if strings.EqualFold(codec.MimeType, webrtc.MimeTypeH264) {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(codecs, func(a, b webrtc.RTPCodecParameters) int { return isOther(a) - isOther(b) })
		if err := transceiver.SetCodecPreferences(codecs); err != nil {
			return "", fmt.Errorf("preparing the answer failed: %w", err)
		}
	}
	answer, err := p.connection.CreateAnswer(nil)
	if err != nil {
		return "", fmt.Errorf("creating the answer failed: %w", err)
	}
	gatheringDone := webrtc.GatheringCompletePromise(p.connection)
	if err := p.connection.SetLocalDescription(answer); err != nil {
		return "", fmt.Errorf("applying the answer failed: %w", err)
	}
	<-gatheringDone
	text := p.connection.LocalDescription().SDP
	if !strings.Contains(text, "a=recvonly") {
		return "", fmt.Errorf("%w: the lab supports H.264 (baseline, packetization-mode 1), H.265, VP8, VP9, AV1 and Opus, and the offer sends none of them", ErrNoCodec)
	}
	return text, nil
}

// WantKeyframe requests a keyframe from the publisher, at most every 500 ms. It does not block.
func (p *Publisher) WantKeyframe() {
	select {
	case p.keyframeWanted <- struct{}{}:
	default:
	}
}

// Codecs are the names of what is sent, empty for a missing kind.
func (p *Publisher) Codecs() [media.Kinds]string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.codecs
}

// Close ends the session and waits until it is cleaned up.
func (p *Publisher) Close() error {
	p.endOnce.Do(p.finish) // the caller of Close needs no onEnd
	err := p.connection.Close()
	p.readers.Wait()
	return err
}

func (p *Publisher) end(reason string) {
	p.endOnce.Do(func() {
		p.finish()
		go p.onEnd(reason) // it will call Close, which waits for the caller of this
	})
}

// finish prevents late tracks from being read: after it, Close expects no new readers.
func (p *Publisher) finish() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	close(p.done)
}

func (p *Publisher) sendKeyframeRequests() {
	defer p.readers.Done()
	for {
		select {
		case <-p.done:
			return
		case <-p.keyframeWanted:
		}
		p.mutex.Lock()
		video := p.video
		p.mutex.Unlock()
		if video != 0 {
			// An error means that the connection ends, which its state reports.
			_ = p.connection.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: uint32(video)}})
		}
		select {
		case <-p.done:
			return
		case <-time.After(keyframeEvery):
		}
	}
}

func (p *Publisher) takeTrack(track *webrtc.TrackRemote, receiver *webrtc.RTPReceiver) {
	kind := media.Audio
	if track.Kind() == webrtc.RTPCodecTypeVideo {
		kind = media.Video
	}
	_, codec, _ := strings.Cut(track.Codec().MimeType, "/")
	p.mutex.Lock()
	select {
	case <-p.done:
		p.mutex.Unlock()
		return
	default:
	}
	hasTrack := p.codecs[kind] != ""
	if !hasTrack {
		p.codecs[kind] = codec
		if kind == media.Video {
			p.video = track.SSRC()
			p.sink.SetCodec(rtppayload.ByName(codec))
		}
		p.readers.Add(2)
	}
	p.mutex.Unlock()
	if hasTrack { // a second video track: one of each kind is forwarded
		return
	}
	go p.readReports(kind, receiver)
	p.readMedia(kind, track)
}

// readMedia forwards packets. Empty ones are the sender's bandwidth probes: they are dropped, and the sequence numbers
// close the gap, so that no viewer counts them as lost.
func (p *Publisher) readMedia(kind media.Kind, track *webrtc.TrackRemote) {
	defer p.readers.Done()
	leftOut := uint16(0)
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		if len(packet.Payload) == 0 {
			leftOut++
			continue
		}
		p.sink.Push(kind, packet.SequenceNumber-leftOut, packet.Timestamp, packet.Marker, packet.Payload)
		p.mediaOnce.Do(p.onMedia)
	}
}

// readReports passes on the publisher's sender reports.
func (p *Publisher) readReports(kind media.Kind, receiver *webrtc.RTPReceiver) {
	defer p.readers.Done()
	for {
		packets, _, err := receiver.ReadRTCP()
		if err != nil {
			return
		}
		for _, packet := range packets {
			if report, isSender := packet.(*rtcp.SenderReport); isSender && report.NTPTime != 0 {
				p.sink.SetClockReference(kind, ntp.UnixNano(report.NTPTime), report.RTPTime)
			}
		}
	}
}
