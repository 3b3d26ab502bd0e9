package sdp

import (
	"slices"

	"fullhouse/agent/internal/media/rtppayload"
)

// format is one payload type of the offer's video; rtx is that of its retransmissions.
type format struct {
	codec            rtppayload.Codec
	payloadType, rtx int
	parameters       string
}

// videoFormats are those of Chromium, in its order and with its numbers, and two that its builds with more codecs
// offer: H.264 high, and H.265. A packet-counting viewer supports all of them.
var videoFormats = []format{
	{rtppayload.VP8, 96, 97, ""},
	{rtppayload.VP9, 98, 99, "profile-id=0"},
	{rtppayload.VP9, 100, 101, "profile-id=2"},
	{rtppayload.VP9, 35, 36, "profile-id=1"},
	{rtppayload.VP9, 37, 38, "profile-id=3"},
	h264(102, 103, "1", "42001f"),
	h264(104, 107, "0", "42001f"),
	h264(108, 109, "1", "42e01f"),
	h264(114, 115, "0", "42e01f"),
	h264(116, 117, "1", "4d001f"),
	h264(39, 40, "0", "4d001f"),
	h264(41, 42, "1", "f4001f"),
	h264(43, 44, "0", "f4001f"),
	{rtppayload.AV1, 45, 46, "level-idx=5;profile=0;tier=0"},
	{rtppayload.AV1, 47, 48, "level-idx=5;profile=1;tier=0"},
	h264(123, 125, "1", "640c1f"),
	{rtppayload.H265, 122, 124, "level-id=93;profile-id=1;tier-flag=0;tx-mode=SRST"},
}

// fecPayloadType is that of forward error correction on a stream of its own, which can be counted without decryption.
// Redundancy within the media's stream (RED, ULPFEC) could not, and is not offered.
const fecPayloadType = 49

func h264(payloadType, rtx int, mode, profile string) format {
	return format{rtppayload.H264, payloadType, rtx, "level-asymmetry-allowed=1;packetization-mode=" + mode + ";profile-level-id=" + profile}
}

// offeredFormats are those of the codecs, of all if there are none.
func offeredFormats(codecs []rtppayload.Codec) (formats []format) {
	for _, one := range videoFormats {
		if len(codecs) == 0 || slices.Contains(codecs, one.codec) {
			formats = append(formats, one)
		}
	}
	return formats
}
