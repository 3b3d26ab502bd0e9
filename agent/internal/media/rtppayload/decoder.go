package rtppayload

import "encoding/binary"

// Decoder is what a decoder needs before the first frame, as in MP4 and Enhanced RTMP.
type Decoder struct {
	// Record is the configuration record: hvcC, av1C, or that of vpcC without the box's version and flags.
	Record        []byte
	Width, Height int
}

// HEVCDecoder makes the record of parameter sets (ISO/IEC 14496-15, 8.3.3.1) for NAL units with lengths of four bytes;
// false if one is missing or malformed.
func HEVCDecoder(nals [][]byte) (d Decoder, ok bool) {
	sets := map[int][][]byte{}
	for _, nal := range nals {
		if len(nal) > hevcHeader && len(nal) < 1<<16 {
			kind := int(nal[0] >> 1 & 0x3f)
			sets[kind] = append(sets[kind], nal)
		}
	}
	if len(sets[hevcVPS]) == 0 || len(sets[hevcSPS]) == 0 || len(sets[hevcPPS]) == 0 {
		return d, false
	}
	clean := withoutEmulation(sets[hevcSPS][0][hevcHeader:])
	sps := readHEVCSPS(clean)
	if sps.width <= 0 || sps.height <= 0 {
		return d, false
	}
	// Version; the general profile, tier and level as in the SPS; no spatial segmentation, unknown parallelism, chroma
	// format, bit depths less 8, an unknown frame rate; temporal layers, nesting, and the size of lengths less 1.
	d.Record = append([]byte{1}, clean[1:13]...)
	d.Record = append(d.Record, 0xf0, 0, 0xfc, 0xfc|byte(sps.chromaFormat&3), 0xf8|byte(sps.lumaDepth&7), 0xf8|byte(sps.chromaDepth&7), 0, 0,
		(clean[0]>>1&7+1)<<3|clean[0]&1<<2|3, 3)
	for _, kind := range []int{hevcVPS, hevcSPS, hevcPPS} {
		const complete = 0x80
		d.Record = append(d.Record, complete|byte(kind), byte(len(sets[kind])>>8), byte(len(sets[kind])))
		for _, nal := range sets[kind] {
			d.Record = append(binary.BigEndian.AppendUint16(d.Record, uint16(len(nal))), nal...)
		}
	}
	d.Width, d.Height = sps.width, sps.height
	return d, true
}

// IsHEVCSet reports whether a NAL unit belongs into the configuration: a video, sequence or picture parameter set.
func IsHEVCSet(nal []byte) bool {
	return len(nal) > 0 && nal[0]>>1&0x3f >= hevcVPS && nal[0]>>1&0x3f <= hevcPPS
}

// IsHEVCKeyframe reports whether a NAL unit is a slice with which a decoder can start.
func IsHEVCKeyframe(nal []byte) bool {
	return len(nal) > 0 && nal[0]>>1&0x3f >= hevcFirstIRAP && nal[0]>>1&0x3f <= hevcLastIRAP
}

// AV1Units splits a temporal unit of OBUs with sizes. It returns it without temporal delimiters, which MP4 and Enhanced
// RTMP leave out, and its sequence header, nil if there is none; false if it is malformed.
func AV1Units(unit []byte) (units, sequence []byte, ok bool) {
	const delimiter, hasExtension, hasSize = 2, 0x04, 0x02
	for len(unit) > 0 {
		head := 1
		if unit[0]&hasExtension != 0 {
			head = 2
		}
		end := len(unit)
		if head > end {
			return nil, nil, false
		}
		if unit[0]&hasSize != 0 {
			size, length := leb128(unit[head:])
			if length == 0 || size > len(unit)-head-length {
				return nil, nil, false
			}
			end = head + length + size
		}
		switch kind := unit[0] >> 3 & 0x0f; {
		case kind == delimiter:
		case kind == obuSequenceHeader && sequence == nil && unit[0]&hasSize != 0:
			sequence = unit[:end]
			fallthrough
		default:
			units = append(units, unit[:end]...)
		}
		unit = unit[end:]
	}
	return units, sequence, len(units) > 0
}

// AV1Decoder makes the record of a sequence header with its size (AV1 Codec ISO Media File Format Binding, 2.3.3).
func AV1Decoder(sequence []byte) (d Decoder, ok bool) {
	if len(sequence) < 3 {
		return d, false
	}
	head := 1 + int(sequence[0]>>2&1)
	_, length := leb128(sequence[head:])
	if length == 0 {
		return d, false
	}
	s := readAV1Sequence(sequence[head+length:])
	if s.width <= 0 || s.height <= 0 {
		return d, false
	}
	d.Record = append([]byte{0x81, s.profile<<5 | s.level, s.tier<<7 | s.format, 0}, sequence...)
	d.Width, d.Height = s.width, s.height
	return d, true
}

// VP9Decoder makes the record of a keyframe (VP Codec ISO Media File Format Binding, 2.2); false if it is none.
func VP9Decoder(frame []byte, fps float64) (d Decoder, ok bool) {
	h := readVP9Header(frame)
	if h.width <= 0 || h.height <= 0 {
		return d, false
	}
	return vpDecoder(h.profile, h.bitDepth, h.subsampling, vp9Level(h.width, h.height, fps), h.width, h.height), true
}

// VP8Decoder makes the record of a keyframe; false if it is none.
func VP8Decoder(frame []byte) (d Decoder, ok bool) {
	if len(frame) < 10 || frame[0]&1 != 0 || [3]byte(frame[3:6]) != [3]byte{0x9d, 0x01, 0x2a} { // RFC 6386 9.1
		return d, false
	}
	width, height := int(binary.LittleEndian.Uint16(frame[6:])&0x3fff), int(binary.LittleEndian.Uint16(frame[8:])&0x3fff)
	return vpDecoder(int(frame[0]>>1&7), 8, vp420, 0, width, height), width > 0 && height > 0
}

// vpDecoder has unspecified colours in the legal range.
func vpDecoder(profile, bitDepth, subsampling int, level byte, width, height int) Decoder {
	const unspecified = 2
	return Decoder{Record: []byte{byte(profile), level, byte(bitDepth<<4 | subsampling<<1), unspecified, unspecified, unspecified, 0, 0}, Width: width, Height: height}
}

// vp9Levels are the limits of levels: luma samples per second and per picture (VP9 bitstream specification, annex A).
var vp9Levels = []struct {
	level   byte
	rate    float64
	picture int
}{{10, 829440, 36864}, {11, 2764800, 73728}, {20, 4608000, 122880}, {21, 9216000, 245760}, {30, 20736000, 552960}, {31, 36864000, 983040},
	{40, 83558400, 2228224}, {41, 160432128, 2228224}, {50, 311951360, 8912896}, {51, 588251136, 8912896}, {52, 1176502272, 8912896},
	{60, 1176502272, 35651584}, {61, 2353004544, 35651584}}

func vp9Level(width, height int, fps float64) byte {
	for _, one := range vp9Levels {
		if width*height <= one.picture && float64(width*height)*fps <= one.rate {
			return one.level
		}
	}
	return 62
}
