// Package h264 parses and packetizes just enough of H.264 for the lab's sample and for WHIP streams.
package h264

import (
	"bytes"
	"errors"
)

// NAL unit types (ITU-T H.264, table 7-1) and the two payload structures of RFC 6184 in use.
const (
	typeSlice         = 1
	typeIDR           = 5
	typeSPS           = 7
	typePPS           = 8
	typeAggregate     = 24 // STAP-A
	typeFragment      = 28 // FU-A
	typeMask          = 0x1f
	importanceMask    = 0x60
	fragmentStart     = 0x80
	fragmentEnd       = 0x40
	fragmentHeaderLen = 2
)

// AccessUnit is one coded picture with the parameter sets before it.
type AccessUnit struct {
	NALs [][]byte
	// Keyframe is set for an IDR picture.
	Keyframe bool
}

// Parts separates the parameter sets from the picture's own NALs; sets are nil in a unit without them.
func (u AccessUnit) Parts() (sps, pps []byte, picture [][]byte) {
	for _, nal := range u.NALs {
		switch nal[0] & typeMask {
		case typeSPS:
			sps = nal
		case typePPS:
			pps = nal
		default:
			picture = append(picture, nal)
		}
	}
	return sps, pps, picture
}

// ReadAnnexB splits a byte stream into access units. Each slice NAL counts as a picture, which holds for streams with
// one slice per picture.
func ReadAnnexB(stream []byte) ([]AccessUnit, error) {
	var units []AccessUnit
	var parameterSets [][]byte
	for _, nal := range SplitNALs(stream) {
		switch nal[0] & typeMask {
		case typeSPS, typePPS:
			parameterSets = append(parameterSets, nal)
		case typeSlice, typeIDR:
			unit := AccessUnit{NALs: append(parameterSets, nal), Keyframe: nal[0]&typeMask == typeIDR}
			units, parameterSets = append(units, unit), nil
		}
	}
	switch {
	case len(units) == 0:
		return nil, errors.New("no H.264 picture found")
	case !units[0].Keyframe || len(units[0].NALs) < 3:
		return nil, errors.New("the stream does not start with SPS, PPS and a keyframe")
	}
	return units, nil
}

// SplitNALs cuts at the start codes 00 00 01 and drops the zero bytes before them.
func SplitNALs(stream []byte) [][]byte {
	var nals [][]byte
	startCode := []byte{0, 0, 1}
	at := bytes.Index(stream, startCode)
	for at >= 0 {
		rest := stream[at+len(startCode):]
		next := bytes.Index(rest, startCode)
		nal := rest
		if next >= 0 {
			nal = rest[:next]
		}
		if nal = bytes.TrimRight(nal, "\x00"); len(nal) > 0 {
			nals = append(nals, nal)
		}
		if next < 0 {
			break
		}
		at += len(startCode) + next
	}
	return nals
}
