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

// av1Sequence is what is read of a sequence header.
type av1Sequence struct {
	width, height        int
	profile, level, tier byte // level and tier of the first operating point
	// format is bit depth, monochrome and subsampling as in av1C: high_bitdepth, twelve_bit, monochrome,
	// chroma_subsampling_x and _y, and two bits of chroma_sample_position.
	format byte
}

// av1PictureSize is the maximum frame size of a sequence header; 0 if it is malformed.
func av1PictureSize(header []byte) (width, height int) {
	s := readAV1Sequence(header)
	return s.width, s.height
}

// readAV1Sequence reads a sequence header (AV1 bitstream specification 5.5.1); empty if it is malformed.
func readAV1Sequence(header []byte) (s av1Sequence) {
	b := &bits{data: header}
	s.profile = byte(b.read(3))
	b.skip(1) // still_picture
	reduced := b.flag()
	if reduced {
		s.level = byte(b.read(5))
	} else {
		s.readOperatingPoints(b)
	}
	widthBits, heightBits := b.read(4)+1, b.read(4)+1
	s.width, s.height = b.read(widthBits)+1, b.read(heightBits)+1
	if b.short {
		return av1Sequence{}
	}
	skipAV1Tools(b, reduced)
	s.readFormat(b)
	return s
}

func (s *av1Sequence) readOperatingPoints(b *bits) {
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
	for i := range b.read(5) + 1 {
		b.skip(12)
		level, tier := b.read(5), 0
		if level > 7 { // seq_level_idx
			tier = b.read(1)
		}
		if i == 0 {
			s.level, s.tier = byte(level), byte(tier)
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

// skipAV1Tools skips what is between the frame size and the colours.
func skipAV1Tools(b *bits, reduced bool) {
	if !reduced && b.flag() { // frame_id_numbers_present_flag
		b.skip(4 + 3)
	}
	b.skip(3) // superblocks, intra filters
	if !reduced {
		b.skip(4)
		ordered := b.flag() // enable_order_hint
		if ordered {
			b.skip(2)
		}
		screenTools := true
		if !b.flag() { // seq_choose_screen_content_tools
			screenTools = b.flag()
		}
		if screenTools && !b.flag() { // seq_choose_integer_mv
			b.skip(1)
		}
		if ordered {
			b.skip(3)
		}
	}
	b.skip(3) // super resolution, cdef, restoration
}

// readFormat reads color_config (5.5.2).
func (s *av1Sequence) readFormat(b *bits) {
	high, twelve, mono := b.read(1), 0, 0
	if s.profile == 2 && high == 1 {
		twelve = b.read(1)
	}
	if s.profile != 1 {
		mono = b.read(1)
	}
	const srgb = 1<<16 | 13<<8 // of BT.709 primaries, sRGB transfer, identity matrix
	colours := -1
	if b.flag() { // color_description_present_flag
		colours = b.read(24)
	}
	x, y, position := 1, 1, 0
	switch {
	case mono == 1:
	case colours == srgb:
		x, y = 0, 0
	default:
		b.skip(1) // color_range
		switch {
		case s.profile == 1:
			x, y = 0, 0
		case s.profile == 2 && twelve == 1:
			if x, y = b.read(1), 0; x == 1 {
				y = b.read(1)
			}
		case s.profile == 2:
			y = 0
		}
		if x == 1 && y == 1 {
			position = b.read(2)
		}
	}
	s.format = byte(high<<6 | twelve<<5 | mono<<4 | x<<3 | y<<2 | position)
}
