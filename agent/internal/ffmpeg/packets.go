package ffmpeg

import (
	"bytes"
	"strconv"
)

// maxStreams are the streams of a source that are described; of further ones nothing is counted.
const maxStreams = 16

// Packet is one packet of a stream: of video a frame, of audio one or more.
type Packet struct {
	IsVideo, IsKeyframe bool
	Bytes               int
	// Codec as in sentences; empty if unknown.
	Codec string
}

// Packets parses what ffmpeg's muxer framecrc writes: a line per packet with its stream, times, size and flags, after
// lines about the streams.
type Packets struct {
	streams [maxStreams]struct {
		isVideo, isAudio bool
		codec            string
	}
}

var codecNames = map[string]string{"h264": "H.264", "hevc": "H.265", "vp8": "VP8", "vp9": "VP9", "av1": "AV1", "mpeg4": "MPEG-4",
	"mpeg2video": "MPEG-2", "mpeg1video": "MPEG-1", "mjpeg": "JPEG", "vvc": "H.266"}

// Line parses a line; false if it is no packet of audio or video.
func (p *Packets) Line(line []byte) (packet Packet, isPacket bool) {
	if about, isAbout := bytes.CutPrefix(line, []byte("#")); isAbout {
		p.describe(about)
		return packet, false
	}
	// stream, dts, pts, duration, size, crc[, F=0xFLAGS][, S=N, …]
	var fields [5]int64
	rest := line
	for i := range fields {
		field, after, found := bytes.Cut(rest, []byte(","))
		if !found {
			return packet, false
		}
		value, err := strconv.ParseInt(string(bytes.TrimSpace(field)), 10, 64)
		if err != nil {
			return packet, false
		}
		fields[i], rest = value, after
	}
	stream, size := fields[0], fields[4]
	if stream < 0 || stream >= maxStreams || size < 0 || size > 1<<30 {
		return packet, false
	}
	of := &p.streams[stream]
	if !of.isVideo && !of.isAudio {
		return packet, false
	}
	// Flags are written unless they say only that it is a key frame (AV_PKT_FLAG_KEY, 1).
	packet = Packet{IsVideo: of.isVideo, IsKeyframe: true, Bytes: int(size), Codec: of.codec}
	if _, flags, has := bytes.Cut(rest, []byte("F=0x")); has {
		digits, _, _ := bytes.Cut(flags, []byte(","))
		value, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 32)
		packet.IsKeyframe = err == nil && value&1 != 0
	}
	return packet, true
}

// describe reads "NAME STREAM: VALUE".
func (p *Packets) describe(about []byte) {
	name, rest, _ := bytes.Cut(about, []byte(" "))
	number, value, found := bytes.Cut(rest, []byte(": "))
	stream, err := strconv.Atoi(string(number))
	if !found || err != nil || stream < 0 || stream >= maxStreams {
		return
	}
	of, text := &p.streams[stream], string(bytes.TrimSpace(value))
	switch string(name) {
	case "media_type":
		of.isVideo, of.isAudio = text == "video", text == "audio"
	case "codec_id":
		if of.codec = codecNames[text]; of.codec == "" && len(text) < 32 {
			of.codec = text
		}
	}
}
