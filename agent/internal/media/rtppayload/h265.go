package rtppayload

import "encoding/binary"

// H.265 NAL unit types (ITU-T H.265, table 7-1) and the payload structures of RFC 7798.
const (
	hevcFirstIRAP = 16 // BLA, IDR and CRA pictures: a decoder can start there
	hevcLastIRAP  = 23
	hevcLastVCL   = 31
	hevcVPS       = 32
	hevcSPS       = 33
	hevcPPS       = 34
	hevcDelimiter = 35
	hevcPrefixSEI = 39
	hevcAP        = 48
	hevcFU        = 49
	hevcPACI      = 50

	hevcHeader = 2
)

// inspectH265 assumes that there are no decoding order numbers: they are sent only with sprop-max-don-diff above 0,
// which is for interleaved streams and not used in WebRTC.
func inspectH265(payload []byte) (p Payload) {
	if len(payload) <= hevcHeader {
		return p
	}
	p.hevc(payload[0]>>1&0x3f, payload[1], payload[hevcHeader:], true)
	return p
}

// hevc inspects what follows a payload header of this type, whose second byte has the temporal layer; nested PACI
// packets do not exist.
func (p *Payload) hevc(kind, second byte, body []byte, mayBePACI bool) {
	switch kind {
	case hevcAP:
		for first := true; len(body) > 2; first = false {
			size := int(binary.BigEndian.Uint16(body))
			if size <= hevcHeader || size > len(body)-2 {
				return
			}
			unit := body[2 : 2+size]
			p.hevcUnit(unit[0]>>1&0x3f, unit[1], unit[hevcHeader:], first)
			body = body[2+size:]
		}
	case hevcFU:
		if len(body) > 1 {
			p.hevcUnit(body[0]&0x3f, second, body[1:], body[0]&0x80 != 0)
		}
	case hevcPACI:
		if !mayBePACI || len(body) < 2 {
			return
		}
		// A, 6 bits of the contained type, 5 of the size of the extension, 4 flags (RFC 7798 4.4.4).
		kind = body[0] >> 1 & 0x3f
		if extension := int(binary.BigEndian.Uint16(body)>>4) & 0x1f; len(body) > 2+extension {
			p.hevc(kind, second, body[2+extension:], false)
		}
	default:
		p.hevcUnit(kind, second, body, true)
	}
}

// hevcUnit inspects a NAL unit without its header. begins: the unit starts in this payload, and is the first one that
// does.
func (p *Payload) hevcUnit(kind, second byte, body []byte, begins bool) {
	if len(body) == 0 {
		return
	}
	starts := false
	switch {
	case kind <= hevcLastVCL:
		// first_slice_segment_in_pic_flag
		starts = body[0]&0x80 != 0
		p.Keyframe = p.Keyframe || kind >= hevcFirstIRAP && kind <= hevcLastIRAP
		p.Temporal = second&7 - min(second&7, 1)
	case kind == hevcVPS, kind == hevcSPS:
		starts, p.Keyframe = true, true
	case kind == hevcPPS, kind == hevcDelimiter, kind == hevcPrefixSEI:
		starts = true
	}
	p.StartsFrame = p.StartsFrame || begins && starts
	if kind == hevcSPS {
		p.setSize(hevcPictureSize(body))
	}
}

// hevcSequence is what is read of an SPS; the bit depths are less 8.
type hevcSequence struct{ width, height, chromaFormat, lumaDepth, chromaDepth int }

// hevcPictureSize reads the size from an SPS without its header, after cropping; 0 if it is malformed.
func hevcPictureSize(body []byte) (width, height int) {
	sps := readHEVCSPS(withoutEmulation(body))
	return sps.width, sps.height
}

// readHEVCSPS reads an SPS without its header and without emulation prevention (ITU-T H.265, 7.3.2.2.1); empty if it is
// malformed.
func readHEVCSPS(clean []byte) hevcSequence {
	b := &bits{data: clean}
	b.skip(4)
	subLayers := b.read(3)
	b.skip(1)
	b.skip(2 + 1 + 5 + 32 + 48 + 8) // general profile, tier and level
	var profilePresent, levelPresent [8]bool
	for i := range subLayers {
		profilePresent[i], levelPresent[i] = b.flag(), b.flag()
	}
	if subLayers > 0 {
		b.skip(2 * (8 - subLayers))
	}
	for i := range subLayers {
		if profilePresent[i] {
			b.skip(88)
		}
		if levelPresent[i] {
			b.skip(8)
		}
	}
	b.expGolomb() // sps_seq_parameter_set_id
	chromaFormat := b.expGolomb()
	if chromaFormat == 3 {
		b.skip(1)
	}
	width, height := b.expGolomb(), b.expGolomb()
	if b.flag() {
		unitX, unitY := 1, 1
		if chromaFormat == 1 || chromaFormat == 2 {
			unitX = 2
		}
		if chromaFormat == 1 {
			unitY = 2
		}
		left, right, top, bottom := b.expGolomb(), b.expGolomb(), b.expGolomb(), b.expGolomb()
		width -= (left + right) * unitX
		height -= (top + bottom) * unitY
	}
	sps := hevcSequence{width, height, chromaFormat, b.expGolomb(), b.expGolomb()}
	if b.short {
		return hevcSequence{}
	}
	return sps
}

// withoutEmulation drops the 03 of each 00 00 03 (ITU-T H.265, 7.4.2).
func withoutEmulation(data []byte) []byte {
	clean := make([]byte, 0, len(data))
	zeros := 0
	for _, b := range data {
		if zeros >= 2 && b == 3 {
			zeros = 0
			continue
		}
		if zeros++; b != 0 {
			zeros = 0
		}
		clean = append(clean, b)
	}
	return clean
}
