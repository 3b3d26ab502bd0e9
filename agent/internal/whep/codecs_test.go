package whep

import (
	"testing"

	"github.com/pion/rtp"
	"github.com/pion/rtp/codecs"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/whep/sdp"
)

// delivery sends frames as a server with a packetizer of pion's does.
type delivery struct {
	*sender
	payloader rtp.Payloader
	sequence  int
	frame     int
}

func (d *delivery) send(frame []byte, skip int) {
	d.frame++
	payloads := d.payloader.Payload(200, frame)
	for i, payload := range payloads {
		d.sequence++
		if i == skip {
			continue
		}
		d.deliver(&rtp.Packet{Header: rtp.Header{Version: 2, Marker: i == len(payloads)-1, PayloadType: 102, SSRC: videoSSRC,
			SequenceNumber: uint16(d.sequence), Timestamp: uint32(d.frame) * 3600}, Payload: payload})
	}
}

// Frames, keyframes and sizes of codecs other than H.264: nothing is counted before the first keyframe, and a frame
// with a lost packet is broken while the next one is not.
func TestFramesOfOtherCodecs(t *testing.T) {
	filling := make([]byte, 600)
	for codec, c := range map[rtppayload.Codec]struct {
		payloader       rtp.Payloader
		keyframe, delta []byte
	}{
		rtppayload.VP8: {&codecs.VP8Payloader{EnablePictureID: true}, []byte{0x10, 0x82, 0, 0x9d, 1, 0x2a, 0xaa, 1, 0xf0, 0, 0, 7}, []byte{0x11, 2, 0}},
		rtppayload.VP9: {&codecs.VP9Payloader{}, []byte{0x82, 0x49, 0x83, 0x42, 0, 0x1a, 0x90, 0x0e, 0xf6, 8}, []byte{0x86, 0}},
		rtppayload.AV1: {&codecs.AV1Payloader{}, []byte{0x0a, 0x0b, 0, 0, 0, 4, 0x3e, 0xa7, 0xbc, 0xda, 0xf9, 0, 0x40, 0x32, 0xd8, 4}, []byte{0x32, 0xd8, 4}},
		rtppayload.H265: {&codecs.H265Payloader{}, []byte{0, 0, 0, 1, 0x42, 1, 1, 1, 0x60, 0, 0, 3, 0, 0x90, 0, 0, 3, 0, 0, 3, 0, 0x3c, 0xa0, 0x0d, 0x88, 0x0f, 0x1c, 0x9e, 0x59, 0x59,
			0xa4, 0x93, 0x2b, 0xc0, 0x5a, 2, 0, 0, 3, 0, 2, 0, 0, 3, 0, 0x32, 0x10, 0, 0, 0, 1, 0x28, 1, 0xaf}, []byte{0, 0, 0, 1, 2, 1, 0xd0}},
	} {
		t.Run(codec.String(), func(t *testing.T) {
			d := &delivery{sender: establishedIn(t, Config{}, sdp.Answer{Video: sdp.Track{Codec: codec}}), payloader: c.payloader}
			keyframe, delta := append(c.keyframe, filling...), append(c.delta, filling...)
			d.send(delta, -1)
			if reading := d.viewer.Read(d.now); reading.Frames != 0 {
				t.Errorf("%d frames before the keyframe", reading.Frames)
			}
			d.send(keyframe, -1)
			for range 9 {
				d.send(delta, -1)
			}
			d.send(delta, 1)
			d.send(delta, -1)
			for range 3 {
				d.pulse(1e9)
			}
			reading := d.viewer.Read(d.now)
			if reading.Frames != 11 || d.viewer.frames.Broken != 1 || reading.Lost != 1 {
				t.Errorf("%d frames, %d broken, %d lost", reading.Frames, d.viewer.frames.Broken, reading.Lost)
			}
			if stream := d.viewer.Detail().Streams[0]; stream.Codec != codec.String() || stream.Width != 426 || stream.Height != 240 {
				t.Errorf("%+v", stream)
			}
		})
	}
}

// Error correction has its own stream, whose packets are not media.
func TestErrorCorrectionIsCountedApart(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{FEC: 49})
	s.deliver(video(1, true))
	for i := range 5 {
		packet := video(60000+i, false)
		packet.PayloadType, packet.SSRC = 49, 99
		s.deliver(packet)
	}
	reading, streams := s.viewer.Read(s.now), s.viewer.Detail().Streams
	if last := streams[len(streams)-1]; last.Kind != "fec" || last.Packets != 5 || last.Lost != 0 || last.SSRC != 99 {
		t.Errorf("%+v", streams)
	}
	if reading.Packets != 1 || reading.Frames != 1 || s.viewer.unknown != 0 {
		t.Errorf("%+v, %d unknown", reading, s.viewer.unknown)
	}
	if r := reading.Repairs; r.FEC != 5 || r.FECBytes != 5*reading.Bytes || r.Retransmitted+r.Recovered != 0 {
		t.Errorf("%+v", r)
	}
}
