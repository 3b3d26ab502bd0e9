package h264

import "errors"

var errShortSPS = errors.New("the SPS is truncated")

// PictureSize reads width and height in pixels from an SPS (ITU-T H.264, 7.3.2.1.1), after cropping.
func PictureSize(sps []byte) (width, height int, err error) {
	if len(sps) < 4 {
		return 0, 0, errShortSPS
	}
	r := &bitReader{data: withoutEmulation(sps[1:])}
	profile := r.bits(8)
	r.bits(16) // constraint flags, level
	r.unsigned()
	chromaFormat := 1
	switch profile {
	case 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135:
		if chromaFormat = r.unsigned(); chromaFormat == 3 {
			r.bits(1)
		}
		r.unsigned() // bit depths
		r.unsigned()
		r.bits(1)
		if r.bits(1) == 1 {
			return 0, 0, errors.New("SPS with scaling lists are not supported")
		}
	}
	r.unsigned() // log2_max_frame_num
	switch r.unsigned() {
	case 0:
		r.unsigned()
	case 1:
		r.bits(1)
		r.unsigned()
		r.unsigned()
		for range r.unsigned() {
			if r.unsigned(); r.failed {
				return 0, 0, errShortSPS
			}
		}
	}
	r.unsigned() // reference frames
	r.bits(1)
	widthInBlocks, heightInUnits := r.unsigned()+1, r.unsigned()+1
	framesOnly := r.bits(1)
	if framesOnly == 0 {
		r.bits(1)
	}
	r.bits(1)
	width, height = widthInBlocks*16, heightInUnits*16*(2-framesOnly)
	if r.bits(1) == 1 {
		unitX, unitY := 1, 2-framesOnly
		if chromaFormat == 1 || chromaFormat == 2 {
			unitX = 2
		}
		if chromaFormat == 1 {
			unitY *= 2
		}
		left, right, top, bottom := r.unsigned(), r.unsigned(), r.unsigned(), r.unsigned()
		width -= (left + right) * unitX
		height -= (top + bottom) * unitY
	}
	if r.failed {
		return 0, 0, errShortSPS
	}
	return width, height, nil
}

// withoutEmulation drops the 03 of each 00 00 03.
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

type bitReader struct {
	data   []byte
	at     int
	failed bool
}

func (r *bitReader) bits(count int) (value int) {
	for range count {
		if r.at >= len(r.data)*8 {
			r.failed = true
			return 0
		}
		value = value<<1 | int(r.data[r.at/8]>>(7-r.at%8)&1)
		r.at++
	}
	return value
}

// unsigned reads an Exp-Golomb code, ue(v).
func (r *bitReader) unsigned() int {
	zeros := 0
	for r.bits(1) == 0 {
		if zeros++; r.failed || zeros > 31 {
			r.failed = true
			return 0
		}
	}
	return 1<<zeros - 1 + r.bits(zeros)
}
