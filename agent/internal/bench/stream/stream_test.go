package stream

import (
	"testing"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/h264"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/whep/rtp"
)

func TestTheStreamHasTheRateThatTheMeasurementsName(t *testing.T) {
	const tag = 16
	bytes := 0
	sample := Make()
	for _, packet := range sample.Packets {
		bytes += len(packet.Payload) + rtp.HeaderSize + tag
	}
	seconds := sample.Duration.Seconds()
	if perSecond := float64(len(sample.Packets)) / seconds; perSecond != 60 {
		t.Errorf("%v packets/s", perSecond)
	}
	if kilobits := float64(bytes) * 8 / 1000 / seconds; kilobits < 169 || kilobits > 171 {
		t.Errorf("%v kbit/s", kilobits)
	}
}

func TestEveryFrameHasStartAndMarker(t *testing.T) {
	frames, keyframes, inFrame := 0, 0, false
	for _, packet := range Make().Packets {
		if packet.Kind == media.Audio {
			continue
		}
		payload := rtppayload.H264.Inspect(packet.Payload)
		starts, key := payload.StartsFrame, payload.Keyframe
		first := !inFrame
		if first && !starts {
			t.Fatalf("frame %d does not start a picture", frames)
		}
		if packet.Keyframe != (first && key) || packet.Keyframe != (first && h264.StartsKeyframe(packet.Payload)) {
			t.Errorf("frame %d: keyframe %v, payload %v", frames, packet.Keyframe, key)
		}
		if packet.Keyframe {
			keyframes++
			width, height, err := h264.PictureSize(h264.FindSPS(packet.Payload))
			if err != nil || width != 426 || height != 240 {
				t.Errorf("%dx%d, %v", width, height, err)
			}
		}
		if inFrame = !packet.Marker; packet.Marker {
			frames++
		}
	}
	if frames != Frames || keyframes != 1 {
		t.Errorf("%d frames, %d keyframes", frames, keyframes)
	}
}
