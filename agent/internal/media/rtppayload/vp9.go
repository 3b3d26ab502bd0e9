package rtppayload

import "encoding/binary"

// The flags in the first byte of the VP9 payload descriptor (RFC 9628 4.2).
const (
	vp9PictureID      = 0x80
	vp9InterPicture   = 0x40
	vp9Layers         = 0x20
	vp9Flexible       = 0x10
	vp9BeginsFrame    = 0x08
	vp9Structure      = 0x02
	vp9MaxReferences  = 3
	vp9SyncCode       = 0x498342
	vp9SizeInStruct   = 0x10
	vp9GroupInStruct  = 0x08
	vp9InterLayerBit  = 0x01
	vp9MoreReferences = 0x01
)

// Subsampling in vpcC; 4:2:0 with chroma samples at those of luma.
const (
	vp420 = 1
	vp422 = 2
	vp444 = 3
)

// inspectVP9 reads the payload descriptor. What starts is a picture, of all its spatial layers: a layer frame that
// depends on the one below follows it.
func inspectVP9(payload []byte) (p Payload) {
	if len(payload) < 1 {
		return p
	}
	first, at := payload[0], 1
	if first&vp9PictureID != 0 {
		if len(payload) <= at {
			return p
		}
		at += 1 + int(payload[at]>>7)
	}
	dependsOnLower := false
	if first&vp9Layers != 0 {
		if len(payload) <= at {
			return p
		}
		indices := payload[at]
		p.Temporal, p.Spatial, dependsOnLower = indices>>5, indices>>1&7, indices&vp9InterLayerBit != 0
		if at++; first&vp9Flexible == 0 {
			at++ // TL0PICIDX
		}
	}
	if first&vp9Flexible != 0 && first&vp9InterPicture != 0 {
		for range vp9MaxReferences {
			if len(payload) <= at {
				return p
			}
			more := payload[at]&vp9MoreReferences != 0
			if at++; !more {
				break
			}
		}
	}
	begins := first&vp9BeginsFrame != 0
	p.StartsFrame = begins && !dependsOnLower
	p.Keyframe = begins && p.Spatial == 0 && first&vp9InterPicture == 0
	if first&vp9Structure != 0 {
		at = p.vp9Structure(payload, at)
	}
	if p.Keyframe && p.Layers == 0 && at < len(payload) {
		p.setSize(vp9PictureSize(payload[at:]))
	}
	return p
}

// vp9Structure reads the scalability structure (RFC 9628 4.2.1) and returns where it ends, at most the payload's end.
func (p *Payload) vp9Structure(payload []byte, at int) int {
	if len(payload) <= at {
		return len(payload)
	}
	flags := payload[at]
	layers := int(flags>>5) + 1
	at++
	if flags&vp9SizeInStruct != 0 {
		if len(payload) < at+4*layers {
			return len(payload)
		}
		for i := range layers {
			p.Sizes[i] = Size{binary.BigEndian.Uint16(payload[at:]), binary.BigEndian.Uint16(payload[at+2:])}
			at += 4
		}
		p.Layers = uint8(layers)
	}
	if flags&vp9GroupInStruct == 0 {
		return at
	}
	if len(payload) <= at {
		return len(payload)
	}
	pictures := int(payload[at])
	at++
	for range pictures {
		if len(payload) <= at {
			return len(payload)
		}
		at += 1 + int(payload[at]>>2&3)
	}
	return min(at, len(payload))
}

// vp9Header is what is read of a keyframe; subsampling is as in vpcC.
type vp9Header struct{ width, height, profile, bitDepth, subsampling int }

// vp9PictureSize is the size of a keyframe; 0 if it is none.
func vp9PictureSize(frame []byte) (width, height int) {
	h := readVP9Header(frame)
	return h.width, h.height
}

// readVP9Header reads the uncompressed header of a keyframe (VP9 bitstream specification 6.2); empty if it is none.
func readVP9Header(frame []byte) vp9Header {
	b := &bits{data: frame}
	if b.read(2) != 2 { // frame_marker
		return vp9Header{}
	}
	h := vp9Header{profile: b.read(1) | b.read(1)<<1, bitDepth: 8, subsampling: vp420}
	if h.profile == 3 {
		b.skip(1)
	}
	showsExisting, isPredicted := b.flag(), b.flag()
	if showsExisting || isPredicted {
		return vp9Header{}
	}
	b.skip(2)
	if b.read(24) != vp9SyncCode {
		return vp9Header{}
	}
	if h.profile >= 2 {
		h.bitDepth = 10 + 2*b.read(1)
	}
	const rgb = 7
	if b.read(3) != rgb {
		if b.skip(1); h.profile&1 != 0 {
			if h.subsampling = vp444; b.read(2) == 2 { // subsampling_x without subsampling_y
				h.subsampling = vp422
			}
			b.skip(1)
		}
	} else if h.subsampling = vp444; h.profile&1 != 0 {
		b.skip(1)
	}
	h.width, h.height = b.read(16)+1, b.read(16)+1
	if b.short {
		return vp9Header{}
	}
	return h
}
