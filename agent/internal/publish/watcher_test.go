package publish

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/media/h264"
	"fullhouse/agent/internal/signalling"
)

// receivedPacket is a received video packet.
type receivedPacket struct {
	sequence  uint16
	timestamp uint32
	keyframe  bool
}

// watcher is a viewer made of pion/webrtc that requests keyframes all the time.
type watcher struct {
	mutex   sync.Mutex
	packets []receivedPacket
}

func watch(t *testing.T, address string) *watcher {
	t.Helper()
	endpoint, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	connection, err := webrtc.NewAPI(webrtc.WithSettingEngine(settings)).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	w, done := &watcher{}, make(chan struct{})
	t.Cleanup(func() { close(done); _ = connection.GracefulClose() }) // the lab may have closed it
	connection.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		if track.Kind() != webrtc.RTPCodecTypeVideo {
			return
		}
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(200 * time.Millisecond):
					_ = connection.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: uint32(track.SSRC())}}) // not yet connected, or no longer
				}
			}
		}()
		for {
			packet, _, err := track.ReadRTP()
			if err != nil {
				return
			}
			w.mutex.Lock()
			w.packets = append(w.packets, receivedPacket{packet.SequenceNumber, packet.Timestamp, h264.StartsKeyframe(packet.Payload)})
			w.mutex.Unlock()
		}
	})
	for _, kind := range []webrtc.RTPCodecType{webrtc.RTPCodecTypeVideo, webrtc.RTPCodecTypeAudio} {
		if _, err := connection.AddTransceiverFromKind(kind, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}); err != nil {
			t.Fatal(err)
		}
	}
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		t.Fatal(err)
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(offer); err != nil {
		t.Fatal(err)
	}
	<-gathered
	answer, f := signalling.NewClient().Post(context.Background(), endpoint, signalling.Identity{}, connection.LocalDescription().SDP)
	if f != nil {
		t.Fatal(f)
	}
	if err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer.Body}); err != nil {
		t.Fatal(err)
	}
	return w
}

func ticks(count uint32) time.Duration { return time.Duration(count) * time.Second / 90000 }

// keyframesCloserThan counts keyframes that followed another within the given time, by their timestamps.
func (w *watcher) keyframesCloserThan(limit time.Duration) int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	count, last := 0, uint32(0)
	for _, p := range w.packets {
		if !p.keyframe || p.timestamp == last {
			continue
		}
		if last != 0 && ticks(p.timestamp-last) < limit {
			count++
		}
		last = p.timestamp
	}
	return count
}

// longestGap is the longest time from one picture to the next, by their timestamps.
func (w *watcher) longestGap() time.Duration {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	longest := time.Duration(0)
	for i := 1; i < len(w.packets); i++ {
		longest = max(longest, ticks(w.packets[i].timestamp-w.packets[i-1].timestamp))
	}
	return longest
}

func (w *watcher) lost() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	lost := 0
	for i := 1; i < len(w.packets); i++ {
		lost += int(w.packets[i].sequence - w.packets[i-1].sequence - 1)
	}
	return lost
}
