// A participant for the tests of a real LiveKit server: publishes synthetic media or subscribes to all streams of the room.
// It reads one line of JSON from stdin (ps must not show the token), writes events to stdout, one word a
// line, and leaves the room when stdin closes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/livekit/protocol/livekit"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"google.golang.org/protobuf/proto"
)

type order struct {
	URL     string `json:"url"`
	Token   string `json:"token"`
	Publish bool   `json:"publish"`
	Width   uint32 `json:"width"`
	Height  uint32 `json:"height"`
	// Layers is how many sizes of the video are published: 3 are a quarter, a half and the whole of width and height.
	Layers int `json:"layers"`
}

func main() {
	input := bufio.NewReader(os.Stdin)
	line, err := input.ReadBytes('\n')
	if err != nil {
		log.Fatalf("read the order: %v", err)
	}
	var what order
	if err := json.Unmarshal(line, &what); err != nil {
		log.Fatalf("parse the order: %v", err)
	}
	p, err := join(what)
	if err != nil {
		log.Fatalf("join: %v", err)
	}
	go p.listen()
	go p.keepAlive()
	_, _ = io.Copy(io.Discard, input)
	p.leave()
}

type participant struct {
	what    order
	socket  *websocket.Conn
	writing sync.Mutex
	// LiveKit uses one connection per direction.
	publisher  *webrtc.PeerConnection
	subscriber *webrtc.PeerConnection
	// Candidates received before their description, by target.
	early     map[livekit.SignalTarget][]webrtc.ICECandidateInit
	published int
	tracks    []*webrtc.TrackLocalStaticSample
	simulcast *simulcast
	media     sync.Once
}

func join(what order) (*participant, error) {
	socket, _, err := websocket.DefaultDialer.Dial(
		what.URL+"/rtc?protocol=15&sdk=go&auto_subscribe=1&access_token="+what.Token, nil)
	if err != nil {
		return nil, err
	}
	var settings webrtc.SettingEngine
	settings.SetIncludeLoopbackCandidate(true)
	codecs := &webrtc.MediaEngine{}
	if err := codecs.RegisterDefaultCodecs(); err != nil {
		return nil, err
	}
	if err := webrtc.ConfigureSimulcastExtensionHeaders(codecs); err != nil {
		return nil, err
	}
	api := webrtc.NewAPI(webrtc.WithSettingEngine(settings), webrtc.WithMediaEngine(codecs))
	p := &participant{what: what, socket: socket, early: map[livekit.SignalTarget][]webrtc.ICECandidateInit{}}
	if p.publisher, err = api.NewPeerConnection(webrtc.Configuration{}); err != nil {
		return nil, err
	}
	if p.subscriber, err = api.NewPeerConnection(webrtc.Configuration{}); err != nil {
		return nil, err
	}
	p.trickle(p.publisher, livekit.SignalTarget_PUBLISHER)
	p.trickle(p.subscriber, livekit.SignalTarget_SUBSCRIBER)
	p.subscriber.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		for {
			if _, _, err := track.ReadRTP(); err != nil {
				return
			}
			p.media.Do(func() { fmt.Println("media") })
		}
	})
	return p, nil
}

func (p *participant) trickle(connection *webrtc.PeerConnection, target livekit.SignalTarget) {
	connection.OnICECandidate(func(candidate *webrtc.ICECandidate) {
		if candidate == nil {
			return
		}
		text, err := json.Marshal(candidate.ToJSON())
		if err != nil {
			return
		}
		p.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Trickle{
			Trickle: &livekit.TrickleRequest{CandidateInit: string(text), Target: target},
		}})
	})
}

func (p *participant) send(request *livekit.SignalRequest) {
	bytes, err := proto.Marshal(request)
	if err != nil {
		log.Fatalf("marshal: %v", err)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	_ = p.socket.WriteMessage(websocket.BinaryMessage, bytes)
}

// The server disconnects a participant that sends nothing for its ping timeout.
func (p *participant) keepAlive() {
	for range time.Tick(3 * time.Second) {
		p.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_PingReq{
			PingReq: &livekit.Ping{Timestamp: time.Now().UnixMilli()},
		}})
	}
}

func (p *participant) listen() {
	for {
		_, bytes, err := p.socket.ReadMessage()
		if err != nil {
			fmt.Println("gone")
			return
		}
		response := &livekit.SignalResponse{}
		if err := proto.Unmarshal(bytes, response); err != nil {
			log.Fatalf("unmarshal: %v", err)
		}
		if err := p.handle(response); err != nil {
			log.Fatalf("%T: %v", response.Message, err)
		}
	}
}

func (p *participant) handle(response *livekit.SignalResponse) error {
	switch message := response.Message.(type) {
	case *livekit.SignalResponse_Join:
		fmt.Println("joined")
		if p.what.Publish {
			return p.announce()
		}
	case *livekit.SignalResponse_Offer:
		return p.answer(message.Offer)
	case *livekit.SignalResponse_TrackPublished:
		p.published++
		if p.published == len(p.tracks) {
			return p.offer()
		}
	case *livekit.SignalResponse_Answer:
		answer := webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: message.Answer.Sdp}
		if err := p.publisher.SetRemoteDescription(answer); err != nil {
			return err
		}
		return p.addEarly(p.publisher, livekit.SignalTarget_PUBLISHER)
	case *livekit.SignalResponse_Trickle:
		return p.candidate(message.Trickle)
	case *livekit.SignalResponse_SubscribedQualityUpdate: // dynacast: the layers that anybody receives
		for _, codec := range message.SubscribedQualityUpdate.SubscribedCodecs {
			line := "qualities"
			for _, one := range codec.Qualities {
				if one.Enabled {
					line += " " + one.Quality.String()
				}
			}
			fmt.Println(line)
		}
	case *livekit.SignalResponse_Leave:
		fmt.Println("leave " + message.Leave.Reason.String())
	}
	return nil
}

func (p *participant) announce() error {
	kinds := []struct {
		id, mime string
		request  *livekit.AddTrackRequest
	}{
		{"video", webrtc.MimeTypeVP8, &livekit.AddTrackRequest{
			Type: livekit.TrackType_VIDEO, Source: livekit.TrackSource_CAMERA, Width: p.what.Width, Height: p.what.Height,
		}},
		{"audio", webrtc.MimeTypeOpus, &livekit.AddTrackRequest{
			Type: livekit.TrackType_AUDIO, Source: livekit.TrackSource_MICROPHONE, DisableRed: true,
		}},
	}
	for _, kind := range kinds {
		if kind.id == "video" && p.what.Layers > 1 {
			var err error
			if p.simulcast, err = addSimulcast(p.publisher, p.what); err != nil {
				return err
			}
			kind.request.Cid, kind.request.Layers = kind.id, p.simulcast.describe()
			p.tracks = append(p.tracks, nil)
			p.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_AddTrack{AddTrack: kind.request}})
			continue
		}
		track, err := webrtc.NewTrackLocalStaticSample(webrtc.RTPCodecCapability{MimeType: kind.mime}, kind.id, "camera")
		if err != nil {
			return err
		}
		if _, err := p.publisher.AddTrack(track); err != nil {
			return err
		}
		p.tracks = append(p.tracks, track)
		kind.request.Cid = kind.id
		p.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_AddTrack{AddTrack: kind.request}})
	}
	p.publisher.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		if state == webrtc.PeerConnectionStateConnected {
			fmt.Println("publishing")
			if p.simulcast != nil {
				go p.simulcast.play()
			} else {
				go play(p.tracks[0], vp8KeyFrame(p.what.Width, p.what.Height), 40*time.Millisecond)
			}
			go play(p.tracks[1], []byte{0xf8, 0xff, 0xfe}, 20*time.Millisecond)
		}
	})
	return nil
}

func (p *participant) offer() error {
	offer, err := p.publisher.CreateOffer(nil)
	if err != nil {
		return err
	}
	if err := p.publisher.SetLocalDescription(offer); err != nil {
		return err
	}
	p.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Offer{
		Offer: &livekit.SessionDescription{Type: "offer", Sdp: offer.SDP},
	}})
	return nil
}

func (p *participant) answer(offered *livekit.SessionDescription) error {
	offer := webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offered.Sdp}
	if err := p.subscriber.SetRemoteDescription(offer); err != nil {
		return err
	}
	if err := p.addEarly(p.subscriber, livekit.SignalTarget_SUBSCRIBER); err != nil {
		return err
	}
	answer, err := p.subscriber.CreateAnswer(nil)
	if err != nil {
		return err
	}
	if err := p.subscriber.SetLocalDescription(answer); err != nil {
		return err
	}
	p.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Answer{
		Answer: &livekit.SessionDescription{Type: "answer", Sdp: answer.SDP, Id: offered.Id},
	}})
	return nil
}

func (p *participant) candidate(trickle *livekit.TrickleRequest) error {
	var candidate webrtc.ICECandidateInit
	if err := json.Unmarshal([]byte(trickle.CandidateInit), &candidate); err != nil {
		return err
	}
	connection := p.subscriber
	if trickle.Target == livekit.SignalTarget_PUBLISHER {
		connection = p.publisher
	}
	if connection.RemoteDescription() == nil {
		p.early[trickle.Target] = append(p.early[trickle.Target], candidate)
		return nil
	}
	return connection.AddICECandidate(candidate)
}

func (p *participant) addEarly(connection *webrtc.PeerConnection, target livekit.SignalTarget) error {
	waiting := p.early[target]
	p.early[target] = nil
	for _, candidate := range waiting {
		if err := connection.AddICECandidate(candidate); err != nil {
			return err
		}
	}
	return nil
}

func (p *participant) leave() {
	p.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Leave{Leave: &livekit.LeaveRequest{}}})
	_ = p.publisher.Close()
	_ = p.subscriber.Close()
	_ = p.socket.Close()
}

func play(track *webrtc.TrackLocalStaticSample, frame []byte, every time.Duration) {
	for range time.Tick(every) {
		if err := track.WriteSample(media.Sample{Data: frame, Duration: every}); err != nil {
			return
		}
	}
}

// The server checks the frame's tag, start code and size (RFC 6386, 9.1) and never decodes the rest.
func vp8KeyFrame(width, height uint32) []byte {
	frame := make([]byte, 1000)
	copy(frame, []byte{0x10, 0x00, 0x00, 0x9d, 0x01, 0x2a,
		byte(width), byte(width >> 8), byte(height), byte(height >> 8)})
	return frame
}
