package flv

// Types of NAL units (H.264 table 7-1, H.265 table 7-1, H.266 table 5) and of OBUs (AV1 6.2.2).
const (
	avcPartition, avcIDR              = 1, 5
	hevcFirstIRAP, hevcLastIRAP       = 16, 21
	vvcIDR, vvcLastIRAP, vvcLastSlice = 7, 9, 11
	obuFrameHeader, obuFrame          = 3, 6
)

// nalLength is the size of the length before each NAL unit: servers write 4 bytes, whatever they received.
const nalLength = 4

// keyframes finds in a coded picture, in pieces of any size, whether it needs no other one. Servers that forward
// Enhanced RTMP need not set the frame type. It allocates nothing.
type keyframes struct {
	codec     string
	step      pictureStep
	isFound   bool
	left      uint32 // of the picture
	isEndless bool
	skip      uint32 // before what is read next
	number    uint32 // a length being read
	digits    int    // of it
	unit      byte   // the header of the unit
	hasSize   bool
}

type pictureStep byte

const (
	atEnd pictureStep = iota // nothing to find
	atLength
	atUnit
	atSecond
	atExtension
	atSize
	atFrame
)

// start begins a picture.
func (k *keyframes) start(of picture) {
	*k = keyframes{codec: of.codec, left: of.length, isEndless: of.length == 0}
	switch of.codec {
	case "H.264", "H.265", "H.266":
		k.step = atLength
	case "AV1":
		k.step = atUnit
	case "VP8", "VP9":
		k.step = atFrame
	}
}

// write reads the next bytes of a picture.
func (k *keyframes) write(data []byte) {
	for k.step != atEnd && len(data) > 0 {
		if !k.isEndless && k.left == 0 {
			k.step = atEnd
			return
		}
		if k.skip > 0 {
			count := min(k.skip, uint32(len(data)))
			k.skip -= count
			k.left -= min(k.left, count)
			data = data[count:]
			continue
		}
		k.read(data[0])
		k.left -= min(k.left, 1)
		data = data[1:]
	}
}

// read handles the next byte that matters.
func (k *keyframes) read(one byte) {
	switch k.step {
	case atEnd:
	case atLength:
		k.number = k.number<<8 | uint32(one)
		if k.digits++; k.digits == nalLength {
			k.digits, k.step = 0, atUnit
		}
	case atUnit:
		if k.codec == "AV1" {
			k.unitOfAV1(one)
			return
		}
		k.unit = one
		if k.codec == "H.266" { // its type is in the second byte
			k.step = atSecond
			return
		}
		k.nal(1)
	case atSecond:
		k.unit = one
		k.nal(2)
	case atExtension:
		k.afterHeader()
	case atSize: // leb128 (AV1 4.10.5)
		if k.digits < 4 {
			k.number |= uint32(one&0x7f) << (7 * k.digits)
		}
		if k.digits++; one&0x80 == 0 || k.digits == 8 {
			k.digits = 0
			k.payload()
		}
	case atFrame:
		k.decide(isKeyframe(k.codec, one))
	}
}

func (k *keyframes) decide(isKeyframe bool) { k.step, k.isFound = atEnd, isKeyframe }

// nal handles a NAL unit by its type, whose first bytes have been read.
func (k *keyframes) nal(read uint32) {
	var isKey, isSlice bool
	switch k.codec {
	case "H.264":
		kind := k.unit & 0x1f
		isKey, isSlice = kind == avcIDR, kind >= avcPartition && kind <= avcIDR
	case "H.265":
		kind := k.unit >> 1 & 0x3f
		isKey, isSlice = kind >= hevcFirstIRAP && kind <= hevcLastIRAP, kind <= hevcLastIRAP
	case "H.266":
		kind := k.unit >> 3
		isKey, isSlice = kind >= vvcIDR && kind <= vvcLastIRAP, kind <= vvcLastSlice
	}
	if isSlice {
		k.decide(isKey)
		return
	}
	k.skip, k.number, k.step = k.number-min(k.number, read), 0, atLength
}

// unitOfAV1 handles the header of an OBU.
func (k *keyframes) unitOfAV1(header byte) {
	k.unit, k.hasSize, k.number = header>>3&0x0f, header&0x02 != 0, 0
	if header&0x04 != 0 {
		k.step = atExtension
		return
	}
	k.afterHeader()
}

func (k *keyframes) afterHeader() {
	if k.hasSize {
		k.step = atSize
		return
	}
	k.payload()
}

// payload handles the start of an OBU's content; one without a size is the last.
func (k *keyframes) payload() {
	switch {
	case k.unit == obuFrame || k.unit == obuFrameHeader:
		k.step = atFrame
	case !k.hasSize:
		k.step = atEnd
	default:
		k.skip, k.step = k.number, atUnit
	}
}

// isKeyframe reads the first byte of a frame's header.
func isKeyframe(codec string, first byte) bool {
	switch codec {
	case "AV1": // show_existing_frame, frame_type (5.9.2)
		return first&0xe0 == 0
	case "VP8": // RFC 6386, 9.1
		return first&1 == 0
	}
	// VP9: frame_marker, profile_low_bit, profile_high_bit, a reserved bit of profile 3, show_existing_frame, frame_type.
	const marker, profile, existing, inter = 0x80, 0x30, 0x08, 0x04
	shift := 0
	if first&profile == profile {
		shift = 1
	}
	return first&0xc0 == marker && first<<shift&(existing|inter) == 0
}
