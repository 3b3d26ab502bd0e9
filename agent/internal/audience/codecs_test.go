package audience

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"path/filepath"
	"testing"
	"time"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/protocol"
)

// clips are files of a second each, 160x90 at 25 fps, that start with a keyframe.
var clips = map[string]string{"VP8": "vp8.ivf", "VP9": "vp9.ivf", "AV1": "av1.ivf", "H265": "h265.h265"}

// The frames of each codec, played by the lab and published to it by WHIP, are those that the lab sent, across the
// seams of the loop and with packets lost on the way.
func TestFramesOfEveryCodecAreThoseThatTheLabSent(t *testing.T) {
	origin, err := lab.Start(lab.Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Event: func(protocol.AgentEvent) {}, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := origin.Close(); err != nil {
			t.Error(err)
		}
	})
	order := func(call, params string) any {
		result, err := origin.Call(context.Background(), call, json.RawMessage(params))
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	s := newHarness(t)
	streams := map[string]string{} // with their codecs
	for codec, name := range clips {
		path, err := filepath.Abs(filepath.Join("../media/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		played, published := "played-"+codec, "published-"+codec
		streams[played], streams[published] = codec, codec
		order("lab.publish-sample", fmt.Sprintf(`{"stream":%q,"sample":%q}`, played, path))
		s.mustCall("audience.publish", protocol.AudiencePublishParams{Job: "studio-" + codec, Protocol: "whip", URL: "http://" + origin.HTTP() + "/whip/" + published, Sample: path})
	}
	waitFor := func(what string, fits func() bool) {
		t.Helper()
		for deadline := time.Now().Add(testTimeout); !fits(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("timed out: %s", what)
			}
		}
	}
	waitFor("all streams are live", func() bool {
		return len(order("lab.streams", `{}`).(protocol.LabStreamsResult).Streams) == len(streams)
	})
	for stream, codec := range streams {
		order("lab.conditions", fmt.Sprintf(`{"stream":%q,"lossPercent":2,"noRepair":true}`, stream))
		s.mustCall("audience.start", protocol.AudienceStartParams{Job: stream, Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/" + stream,
			Viewers: 2, RatePerSecond: 100, Codecs: []protocol.VideoCodec{protocol.VideoCodec(codec)}})
	}
	viewersOf := func(stream string) []protocol.AudienceViewer {
		return s.mustCall("audience.viewers", protocol.AudienceViewersParams{Job: stream, Limit: 10}).(protocol.AudienceViewersResult).Viewers
	}
	frames := func(count uint64) {
		for stream := range streams {
			waitFor(fmt.Sprintf("%d frames of %s", count, stream), func() bool {
				s.Sample(protocol.ProcessSample{}, 50*time.Millisecond)
				viewers := viewersOf(stream)
				return viewers[0].Frames > count && viewers[1].Frames > count
			})
		}
	}
	frames(100)
	for stream := range streams { // frames after a gap wait for it until it is given up
		order("lab.conditions", fmt.Sprintf(`{"stream":%q,"lossPercent":0}`, stream))
	}
	frames(115)
	for stream := range streams {
		s.mustCall("audience.stop", protocol.AudienceStopParams{Job: stream})
	}
	for stream, codec := range streams {
		waitFor("the end of "+stream, func() bool {
			return viewersOf(stream)[0].State == protocol.ViewerDisconnected && viewersOf(stream)[1].State == protocol.ViewerDisconnected
		})
		var sent protocol.LabViewersResult
		data, err := json.Marshal(order("lab.viewers", fmt.Sprintf(`{"stream":%q,"offset":0,"limit":10}`, stream)))
		if err != nil || json.Unmarshal(data, &sent) != nil || len(sent.Viewers) != 2 {
			t.Fatalf("%s: %s, %v", stream, data, err)
		}
		counted, truth := uint64(0), uint64(0)
		for i, viewer := range viewersOf(stream) {
			counted, truth = counted+viewer.Frames, truth+sent.Viewers[i].FramesComplete
			detail := s.mustCall("audience.viewer", protocol.AudienceViewerParams{Job: stream, Viewer: i + 1}).(protocol.AudienceViewerResult)
			if video := detail.Streams[0]; video.Codec != codec || video.Width != 160 || video.Height != 90 {
				t.Errorf("%s: %+v", stream, video)
			}
			if viewer.Failure != nil {
				t.Errorf("%s: %+v", stream, viewer.Failure)
			}
		}
		t.Logf("%s: %d frames, the lab sent %d", stream, counted, truth)
		if difference := math.Abs(float64(counted) - float64(truth)); difference > 0.01*float64(truth) {
			t.Errorf("%s: %d frames, the lab sent %d complete ones", stream, counted, truth)
		}
	}
}
