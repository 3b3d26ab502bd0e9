// Package h265 splits H.265 byte streams into pictures.
package h265

import (
	"bytes"
	"errors"
)

// NAL unit types (ITU-T H.265, table 7-1).
const (
	lastVCL   = 31
	firstIRAP = 16
	lastIRAP  = 23
	endOfSeq  = 36 // and later ones follow their picture: end of sequence, of bitstream, filler, suffix SEI
	filler    = 38
	suffixSEI = 40
	headerLen = 2
)

var startCode = []byte{0, 0, 1}

// Picture is one access unit.
type Picture struct {
	// AnnexB is the access unit with start codes, a part of the stream.
	AnnexB   []byte
	Keyframe bool // a decoder can start with it
}

// ReadAnnexB splits a byte stream (ITU-T H.265, annex B) into its access units (7.4.2.4.4). What follows the slices of
// a picture and precedes the next slices belongs to the next picture.
func ReadAnnexB(stream []byte) ([]Picture, error) {
	var pictures []Picture
	begin, hasSlice, keyframe := -1, false, false
	finish := func(end int) {
		if hasSlice {
			pictures = append(pictures, Picture{AnnexB: stream[begin:end], Keyframe: keyframe})
			begin, hasSlice, keyframe = end, false, false
		}
	}
	for at := bytes.Index(stream, startCode); at >= 0; {
		unit := at + len(startCode)
		if begin < 0 {
			begin = at
		}
		if len(stream)-unit > headerLen {
			kind, isFirst := stream[unit]>>1&0x3f, stream[unit+headerLen]&0x80 != 0
			switch {
			case kind <= lastVCL:
				if isFirst {
					finish(at)
				}
				hasSlice, keyframe = true, keyframe || kind >= firstIRAP && kind <= lastIRAP
			case kind >= endOfSeq && kind <= filler, kind == suffixSEI:
			default:
				finish(at)
			}
		}
		next := bytes.Index(stream[unit:], startCode)
		if next < 0 {
			break
		}
		at = unit + next
	}
	if begin >= 0 {
		finish(len(stream))
	}
	switch {
	case len(pictures) == 0:
		return nil, errors.New("no H.265 picture found")
	case !pictures[0].Keyframe:
		return nil, errors.New("the stream does not start with a keyframe")
	}
	return pictures, nil
}
