package play

import "encoding/binary"

// Frame kinds, codecs and packet types of FLV's video messages (its specification, E.4.3) and of Enhanced RTMP v2.
const (
	isEnhanced      = 0x80
	frameKey        = 1
	frameGenerated  = 4 // a keyframe that the server made
	frameCommand    = 5 // no picture
	codecAVC        = 7
	codecHEVC       = 12
	codecAV1        = 13
	packetPicture   = 1 // also an enhanced one's coded frame
	packetPictureX  = 3 // the same without a composition time
	packetTracks    = 6
	packetModified  = 7
	codecAAC        = 10
	audioEnhanced   = 9
	audioTracks     = 5
	audioConfigured = 0
)

// picture is what a video message's first bytes tell.
type picture struct {
	isFrame    bool
	isKeyframe bool
	codec      string // empty when it is not told
}

// inspectVideo tells frames from configuration. What it can't know it takes for a frame.
func inspectVideo(head []byte) picture {
	if len(head) < 2 {
		return picture{}
	}
	if head[0]&isEnhanced != 0 {
		return inspectEnhanced(head)
	}
	kind, codec := head[0]>>4, head[0]&0x0f
	p := picture{isFrame: kind != frameCommand, isKeyframe: kind == frameKey || kind == frameGenerated}
	p.codec = codecs[codec]
	if codec == codecAVC || codec == codecHEVC || codec == codecAV1 {
		p.isFrame = p.isFrame && head[1] == packetPicture
	}
	return p
}

func inspectEnhanced(head []byte) picture {
	kind, packet, rest := head[0]>>4&7, head[0]&0x0f, head[1:]
	p := picture{isFrame: kind != frameCommand, isKeyframe: kind == frameKey || kind == frameGenerated}
	for packet == packetModified {
		if packet, rest = skipModifier(rest); rest == nil {
			return p
		}
	}
	track := -1
	if packet == packetTracks && len(rest) > 0 {
		track = 0
		if packet = rest[0] & 0x0f; len(rest) > 5 {
			track = int(rest[5])
		}
		rest = rest[1:]
	}
	p.isFrame = p.isFrame && (packet == packetPicture || packet == packetPictureX) && track <= 0
	if len(rest) >= 4 {
		p.codec = fourCC[string(rest[:4])]
	}
	return p
}

// codecs and fourCC name what sentences tell.
var codecs = [16]string{2: "H.263", 4: "VP6", 5: "VP6", codecAVC: "H.264", codecHEVC: "H.265", codecAV1: "AV1"}

var fourCC = map[string]string{"avc1": "H.264", "hvc1": "H.265", "av01": "AV1", "vp08": "VP8", "vp09": "VP9"}

// skipModifier skips what stands before a packet; nil when it is longer than what is known of the message.
func skipModifier(data []byte) (packet byte, rest []byte) {
	if len(data) < 1 {
		return 0, nil
	}
	size, at := int(data[0])+1, 1
	if size == 256 {
		if len(data) < 3 {
			return 0, nil
		}
		size, at = int(binary.BigEndian.Uint16(data[1:]))+1, 3
	}
	if at+size >= len(data) {
		return 0, nil
	}
	return data[at+size] & 0x0f, data[at+size+1:]
}

// isSound tells sound from configuration.
func isSound(head []byte) bool {
	if len(head) < 2 {
		return len(head) > 0 // an empty message is no sound
	}
	switch format := head[0] >> 4; format {
	case codecAAC:
		return head[1] != audioConfigured
	case audioEnhanced:
		packet := head[0] & 0x0f
		return packet == packetPicture || packet == audioTracks || packet == packetModified
	}
	return true
}
