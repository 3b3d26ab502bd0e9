package publish

import (
	"bytes"
	"path/filepath"
	"testing"

	"fullhouse/agent/internal/flv"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/testing/rtmptest"
)

// TestOtherCodecsArePublishedAsEnhancedRTMP reads what a server received like a viewer does.
func TestOtherCodecsArePublishedAsEnhancedRTMP(t *testing.T) {
	for file, want := range map[string]struct{ fourCC, codec string }{
		"h265.h265": {"hvc1", "H.265"}, "av1.ivf": {"av01", "AV1"}, "vp9.ivf": {"vp09", "VP9"},
	} {
		path, err := filepath.Abs(filepath.Join("..", "media", "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		video, err := media.LoadVideo("", path)
		if err != nil {
			t.Fatal(err)
		}
		server := rtmptest.Start(t, nil)
		p, _ := newPublications(t)
		if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: protocol.PublishProtocolRTMP, URL: "rtmp://" + server.Address().Host + "/live/cam", Sample: path}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "frames arrive", func() bool { return len(server.MessagesOfKind(rtmp.TypeVideo)) > 5 })
		p.EndAll(true)
		eventually(t, "publishing ended", func() bool { return p.Remaining() == 0 })
		connect := server.Commands()[0].Values[0].(map[string]any)
		if list, isList := connect["fourCcList"].([]any); !isList || len(list) != 1 || list[0] != want.fourCC {
			t.Errorf("%s: %v", file, connect)
		}
		for i, message := range server.MessagesOfKind(rtmp.TypeVideo) {
			head, data := append([]byte{0x90}, want.fourCC...), video.Decoder
			expected := flv.Video{IsKeyframe: true, Codec: want.codec}
			if i > 0 {
				picture := video.Pictures[(i-1)%len(video.Pictures)]
				data, expected.IsFrame, expected.IsKeyframe = picture.Data, true, picture.Keyframe
				if head[0] = 0xa3; picture.Keyframe {
					head[0] = 0x93
				}
			}
			if got := flv.InspectVideo(message.Payload); got != expected || !bytes.Equal(message.Payload, append(head, data...)) {
				t.Errorf("%s, message %d: %+v, want %+v, % x", file, i, got, expected, message.Payload[:min(12, len(message.Payload))])
			}
		}
	}
}
