package main

import (
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/pion/rtp"
	"github.com/pion/rtp/codecs"
	"github.com/pion/sdp/v3"
	"github.com/pion/webrtc/v4"
)

// simulcast is a video published in several sizes, each on a stream of its own.
type simulcast struct {
	transceiver *webrtc.RTPTransceiver
	layers      []*layer
}

type layer struct {
	track         *webrtc.TrackLocalStaticRTP
	width, height uint32
}

// The ids of LiveKit's streams, from the smallest layer.
var rids = []string{"q", "h", "f"}

func addSimulcast(connection *webrtc.PeerConnection, what order) (*simulcast, error) {
	s := &simulcast{}
	for i := range what.Layers {
		track, err := webrtc.NewTrackLocalStaticRTP(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeVP8}, "video", "camera", webrtc.WithRTPStreamID(rids[i]))
		if err != nil {
			return nil, err
		}
		shift := what.Layers - 1 - i
		s.layers = append(s.layers, &layer{track: track, width: what.Width >> shift, height: what.Height >> shift})
		if i == 0 {
			if s.transceiver, err = connection.AddTransceiverFromTrack(track, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly}); err != nil {
				return nil, err
			}
		} else if err := s.transceiver.Sender().AddEncoding(track); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *simulcast) describe() (list []*livekit.VideoLayer) {
	for i, one := range s.layers {
		list = append(list, &livekit.VideoLayer{Quality: livekit.VideoQuality(i), Width: one.width, Height: one.height, Bitrate: 200_000 << i, Rid: rids[i], SpatialLayer: int32(i)})
	}
	return list
}

// play sends a keyframe of each size 25 times a second. The receiver tells the streams apart by header extensions.
func (s *simulcast) play() {
	ids := map[string]uint8{}
	for _, extension := range s.transceiver.Sender().GetParameters().HeaderExtensions {
		ids[extension.URI] = uint8(extension.ID)
	}
	mid := []byte(s.transceiver.Mid())
	packetizers := make([]rtp.Packetizer, len(s.layers))
	for i := range s.layers {
		packetizers[i] = rtp.NewPacketizer(1200, 0, 0, &codecs.VP8Payloader{EnablePictureID: true}, rtp.NewRandomSequencer(), 90000)
	}
	for range time.Tick(40 * time.Millisecond) {
		for i, one := range s.layers {
			for _, packet := range packetizers[i].Packetize(vp8KeyFrame(one.width, one.height), 3600) {
				_ = packet.SetExtension(ids[sdp.SDESMidURI], mid)
				_ = packet.SetExtension(ids[sdp.SDESRTPStreamIDURI], []byte(rids[i]))
				if err := one.track.WriteRTP(packet); err != nil {
					return
				}
			}
		}
	}
}
