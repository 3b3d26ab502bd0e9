package publish

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
)

// receivedLayer is what a server received of one layer.
type receivedLayer struct {
	size               rtppayload.Size
	packets, keyframes int
	withID, withoutID  int // packets that name their layer, and that do not
}

// layersServer is a WHIP server with simulcast, made of pion/webrtc, that requests keyframes of one layer.
type layersServer struct {
	mutex   sync.Mutex
	layers  map[string]*receivedLayer
	refuses string // this line of the answer
}

func (s *layersServer) start(t *testing.T) (address string) {
	t.Helper()
	return serveWHIP(t, webrtc.ConfigureSimulcastExtensionHeaders, s.read, func(answer string) string {
		return strings.Replace(answer, s.refuses, strings.Replace(s.refuses, ";h", "", 1), 1)
	})
}

type readTrack func(*webrtc.PeerConnection, *webrtc.TrackRemote, *webrtc.RTPReceiver)

// serveWHIP starts a WHIP server that is made of pion/webrtc. It reads each track with read, and edits its answers.
func serveWHIP(t *testing.T, configure func(*webrtc.MediaEngine) error, read readTrack, edit func(answer string) string) (address string) {
	t.Helper()
	engine, registry := &webrtc.MediaEngine{}, &interceptor.Registry{}
	for _, err := range []error{engine.RegisterDefaultCodecs(), configure(engine), webrtc.ConfigureRTCPReports(registry),
		webrtc.ConfigureNack(engine, registry)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var settings webrtc.SettingEngine
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	api := webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			return
		}
		offer, _ := io.ReadAll(r.Body)
		connection, err := api.NewPeerConnection(webrtc.Configuration{})
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { _ = connection.GracefulClose() })
		connection.OnTrack(func(track *webrtc.TrackRemote, receiver *webrtc.RTPReceiver) { read(connection, track, receiver) })
		if err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: string(offer)}); err != nil {
			t.Error(err)
			return
		}
		answer, err := connection.CreateAnswer(nil)
		if err != nil {
			t.Error(err)
			return
		}
		gathered := webrtc.GatheringCompletePromise(connection)
		if err := connection.SetLocalDescription(answer); err != nil {
			t.Error(err)
			return
		}
		<-gathered
		w.Header().Set("Location", "/session")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, edit(connection.LocalDescription().SDP))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/whip/cam"
}

func (s *layersServer) read(connection *webrtc.PeerConnection, track *webrtc.TrackRemote, receiver *webrtc.RTPReceiver) {
	streamID := uint8(0)
	for _, one := range receiver.GetParameters().HeaderExtensions {
		if strings.HasSuffix(one.URI, ":rtp-stream-id") {
			streamID = uint8(one.ID)
		}
	}
	asked := time.Time{}
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		if track.RID() == "q" && time.Since(asked) > 200*time.Millisecond {
			asked = time.Now()
			_ = connection.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: uint32(track.SSRC())}})
		}
		inspected := rtppayload.VP8.Inspect(packet.Payload)
		s.mutex.Lock()
		layer := s.layers[track.RID()]
		if layer == nil {
			layer = &receivedLayer{}
			s.layers[track.RID()] = layer
		}
		layer.packets++
		if inspected.Keyframe {
			layer.keyframes++
			layer.size = inspected.Sizes[0]
		}
		if packet.GetExtension(streamID) != nil {
			layer.withID++
		} else {
			layer.withoutID++
		}
		s.mutex.Unlock()
	}
}

// of is a copy of what was received of a layer.
func (s *layersServer) of(name string) receivedLayer {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.layers[name] == nil {
		return receivedLayer{}
	}
	return *s.layers[name]
}

func layerFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "media", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLayersArePublishedOverWHIP(t *testing.T) {
	server := &layersServer{layers: map[string]*receivedLayer{}}
	p, recorded := newPublications(t)
	result, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: protocol.PublishProtocolWHIP, URL: server.start(t),
		Sample: layerFile(t, "vp8.ivf"), Simulcast: []string{layerFile(t, "vp8-small.ivf")}})
	if err != nil || len(result.Warnings) > 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	eventually(t, "both layers arrive with their sizes, at first with their names", func() bool {
		small, large := server.of("q"), server.of("h")
		return small.size == rtppayload.Size{Width: 80, Height: 44} && large.size == rtppayload.Size{Width: 160, Height: 90} &&
			small.withID > 0 && small.withoutID > 25 && large.withID > 0 && large.withoutID > 25
	})
	before := [...]receivedLayer{server.of("q"), server.of("h")}
	eventually(t, "keyframes on request are of the requested layer", func() bool {
		return server.of("q").keyframes-before[0].keyframes >= 2*(server.of("h").keyframes-before[1].keyframes) && server.of("q").keyframes > before[0].keyframes+3
	})
	if recorded.names() != "" {
		t.Errorf("events: %s", recorded.names())
	}
}

func TestOnlyTheLayersThatAServerReceivesAreSent(t *testing.T) {
	server := &layersServer{layers: map[string]*receivedLayer{}, refuses: "a=simulcast:recv q;h"}
	p, recorded := newPublications(t)
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: protocol.PublishProtocolWHIP, URL: server.start(t),
		Sample: layerFile(t, "vp8.ivf"), Simulcast: []string{layerFile(t, "vp8-small.ivf")}}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the small one arrives", func() bool { return server.of("q").packets > 30 })
	if server.of("h").packets > 0 || !strings.Contains(recorded.last().Message, "1 of the 2 layers") {
		t.Errorf("%+v, %+v", server.of("h"), recorded.last())
	}
}

func TestAServerWithoutSimulcastReceivesTheLargestLayer(t *testing.T) {
	o := startLab(t)
	p, recorded := newPublications(t)
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: protocol.PublishProtocolWHIP, URL: "http://" + o.HTTP() + "/whip/cam",
		Sample: "sample-240p", Simulcast: []string{layerFile(t, "h264-aac.mp4")}}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab has the largest", func() bool {
		time.Sleep(500 * time.Millisecond)
		o.Sample(protocol.ProcessSample{}, 500*time.Millisecond)
		s := o.stream(t)
		return s.Width == 426 && s.AudioCodec == "opus" && s.FPS >= 20
	})
	if event := recorded.last(); event.Name != protocol.EventWarning || !strings.HasSuffix(event.Message, "accepted no simulcast; only the largest layer is published.") {
		t.Errorf("%+v", event)
	}
}

func TestLayersThatDoNotBelongTogetherAreRefused(t *testing.T) {
	p, _ := newPublications(t)
	vp8, small := layerFile(t, "vp8.ivf"), layerFile(t, "vp8-small.ivf")
	for want, params := range map[string]protocol.AudiencePublishParams{
		"one codec":       {Protocol: protocol.PublishProtocolWHIP, Sample: vp8, Simulcast: []string{layerFile(t, "h264-aac.mp4")}},
		"different sizes": {Protocol: protocol.PublishProtocolWHIP, Sample: small, Simulcast: []string{vp8}},
		"up to 3 layers":  {Protocol: protocol.PublishProtocolWHIP, Sample: vp8, Simulcast: []string{small, small, small}},
		"not over rtmp":   {Protocol: protocol.PublishProtocolRTMP, Sample: vp8, Simulcast: []string{small}},
		"does not exist":  {Protocol: protocol.PublishProtocolWHIP, Sample: vp8, Simulcast: []string{vp8 + ".ivf"}},
	} {
		params.Job, params.URL = "studio", "http://127.0.0.1:1/whip/cam"
		if _, err := p.Publish(params); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	result, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: protocol.PublishProtocolWHIP, URL: "http://127.0.0.1:1/whip/cam",
		Sample: "sample-240p", Simulcast: []string{layerFile(t, "h264-aac.mp4")}})
	if err != nil || !strings.Contains(fmt.Sprint(result.Warnings), "differ in length by 11.0 s") {
		t.Errorf("%+v, %v", result, err)
	}
}
