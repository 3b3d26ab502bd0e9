// Package rtppayload reads from RTP payloads what a viewer counts: where a frame starts, whether it is a keyframe, its
// layer and its size. It reads payload descriptors and headers only and decodes nothing.
package rtppayload

import "strings"

// Codec is a video codec with an RTP payload format.
type Codec uint8

// The supported codecs.
const (
	None Codec = iota
	H264       // RFC 6184
	H265       // RFC 7798
	VP8        // RFC 7741
	VP9        // RFC 9628
	AV1        // RTP Payload Format For AV1 1.0, Alliance for Open Media
)

// Codecs are all of them.
var Codecs = []Codec{H264, H265, VP8, VP9, AV1}

var names = [...]string{None: "", H264: "H264", H265: "H265", VP8: "VP8", VP9: "VP9", AV1: "AV1"}

// String is the name in SDP.
func (c Codec) String() string { return names[c] }

// ByName finds the codec with this name in SDP; None if it is not supported.
func ByName(name string) Codec {
	for _, codec := range Codecs {
		if strings.EqualFold(names[codec], name) {
			return codec
		}
	}
	return None
}

// Size is the size of a picture in pixels.
type Size struct{ Width, Height uint16 }

// MaxLayers is the maximum number of spatial layers of a stream (RFC 9628 4.2).
const MaxLayers = 8

// Payload is what one RTP payload contains.
type Payload struct {
	// StartsFrame: nothing of its picture precedes this payload, except parameter sets.
	StartsFrame bool
	// Keyframe: the payload belongs to a keyframe. Codecs differ in whether its later payloads show that too.
	Keyframe bool
	// Spatial and Temporal are the layer of scalable video, 0 if the payload has none.
	Spatial, Temporal uint8
	// Layers is the number of entries in Sizes: 0 if the payload contains no size, more than 1 for spatial layers,
	// from the smallest.
	Layers uint8
	Sizes  [MaxLayers]Size
}

// setSize is the size of a stream without layers.
func (p *Payload) setSize(width, height int) {
	const most = 1<<16 - 1
	if width > 0 && height > 0 && width <= most && height <= most {
		p.Layers, p.Sizes[0] = 1, Size{uint16(width), uint16(height)}
	}
}

// Inspect reads a payload. A malformed one is an empty Payload, or what precedes the fault.
func (c Codec) Inspect(payload []byte) Payload {
	switch c {
	case H264:
		return inspectH264(payload)
	case H265:
		return inspectH265(payload)
	case VP8:
		return inspectVP8(payload)
	case VP9:
		return inspectVP9(payload)
	case AV1:
		return inspectAV1(payload)
	}
	return Payload{}
}
