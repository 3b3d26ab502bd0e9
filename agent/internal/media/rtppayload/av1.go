package rtppayload

// AV1 OBU types (AV1 bitstream specification 6.2.2).
const (
	obuSequenceHeader = 1
	obuFrameHeader    = 3
	obuMetadata       = 5
	obuFrame          = 6
)

// maxElements bounds the OBU elements that are inspected of a payload: what matters is at its start.
const maxElements = 16

// inspectAV1 reads the aggregation header and the OBU elements (RTP Payload Format For AV1, 4.4 and 4.5). As in
// Chromium, a new coded video sequence is a keyframe, and a payload that continues no OBU may start a frame.
func inspectAV1(payload []byte) (p Payload) {
	if len(payload) < 2 {
		return p
	}
	aggregation := payload[0]
	continues, elements := aggregation&0x80 != 0, int(aggregation>>4&3)
	p.Keyframe = aggregation&0x08 != 0
	rest := payload[1:]
	for i := 0; len(rest) > 0 && i < maxElements; i++ {
		size := len(rest)
		if elements == 0 || i < elements-1 { // the last of a counted number has no size
			value, length := leb128(rest)
			if length == 0 || value > len(rest)-length {
				return p
			}
			rest, size = rest[length:], value
		}
		if size > 0 && !(continues && i == 0) {
			p.obu(rest[:size], i == 0)
		}
		rest = rest[size:]
	}
	return p
}

// obu inspects an OBU, or the first part of one.
func (p *Payload) obu(obu []byte, first bool) {
	header, body := obu[0], obu[1:]
	if header&0x04 != 0 { // obu_extension_flag
		if len(body) == 0 {
			return
		}
		p.Temporal, p.Spatial = body[0]>>5, body[0]>>3&3
		body = body[1:]
	}
	if header&0x02 != 0 { // obu_has_size_field, which RTP should not have
		_, length := leb128(body)
		if length == 0 {
			return
		}
		body = body[length:]
	}
	switch header >> 3 & 0x0f {
	case obuSequenceHeader:
		p.StartsFrame = p.StartsFrame || first
		p.setSize(av1PictureSize(body))
	case obuFrameHeader, obuMetadata, obuFrame:
		p.StartsFrame = p.StartsFrame || first
	}
}

// leb128 reads a number; the length is 0 if it is malformed, or larger than any packet.
func leb128(data []byte) (value, length int) {
	for i := range min(len(data), 4) {
		value |= int(data[i]&0x7f) << (7 * i)
		if data[i]&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// av1PictureSize reads the maximum frame size of a sequence header (AV1 bitstream specification 5.5.1); 0 if it is
// malformed.
func av1PictureSize(header []byte) (width, height int) {
	b := &bits{data: header}
	b.skip(3 + 1) // seq_profile, still_picture
	if b.flag() { // reduced_still_picture_header
		b.skip(5)
	} else {
		skipOperatingPoints(b)
	}
	widthBits, heightBits := b.read(4)+1, b.read(4)+1
	width, height = b.read(widthBits)+1, b.read(heightBits)+1
	if b.short {
		return 0, 0
	}
	return width, height
}

func skipOperatingPoints(b *bits) {
	decoderModel, delayBits := false, 0
	if b.flag() { // timing_info_present_flag
		b.skip(32 + 32)
		if b.flag() { // equal_picture_interval
			b.expGolomb()
		}
		if decoderModel = b.flag(); decoderModel {
			delayBits = b.read(5) + 1
			b.skip(32 + 5 + 5)
		}
	}
	initialDelay := b.flag()
	for range b.read(5) + 1 {
		b.skip(12)
		if b.read(5) > 7 { // seq_level_idx
			b.skip(1)
		}
		if decoderModel && b.flag() {
			b.skip(2*delayBits + 1)
		}
		if initialDelay && b.flag() {
			b.skip(4)
		}
		if b.short {
			return
		}
	}
}
