// Package ivf reads the frames of an IVF file, which contains VP8, VP9 or AV1.
package ivf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

const (
	signature      = "DKIF"
	minHeader      = 32
	frameHeaderLen = 12
	// maxFrames bounds the frames of a file: an hour at 100 a second.
	maxFrames = 360_000
)

// Frame is one frame of a file; of AV1, one temporal unit.
type Frame struct {
	At   time.Duration
	Data []byte // a part of the file
}

// File is a file's content.
type File struct {
	// FourCC is the codec: VP80, VP90 or AV01.
	FourCC string
	Frames []Frame
}

// Read reads a file. The times start with 0.
func Read(file []byte) (*File, error) {
	if len(file) < minHeader || string(file[:4]) != signature {
		return nil, errors.New("it is not an IVF file")
	}
	header := int(binary.LittleEndian.Uint16(file[6:]))
	rate, scale := int64(binary.LittleEndian.Uint32(file[16:])), int64(binary.LittleEndian.Uint32(file[20:]))
	if header < minHeader || header > len(file) || rate == 0 || scale == 0 {
		return nil, errors.New("its IVF header is damaged")
	}
	read := &File{FourCC: string(file[8:12])}
	first := int64(0)
	for at := header; at < len(file); {
		if len(file)-at < frameHeaderLen {
			return nil, fmt.Errorf("the frame at byte %d is truncated", at)
		}
		size, stamp := uint64(binary.LittleEndian.Uint32(file[at:])), int64(binary.LittleEndian.Uint64(file[at+4:]))
		at += frameHeaderLen
		if size == 0 || size > uint64(len(file)-at) {
			return nil, fmt.Errorf("the frame at byte %d is truncated", at)
		}
		if len(read.Frames) == maxFrames {
			return nil, fmt.Errorf("it has more than %d frames; use a shorter file", maxFrames)
		}
		if len(read.Frames) == 0 {
			first = stamp
		}
		offset := stamp - first
		const longest = int64(24 * time.Hour / time.Second)
		if offset < 0 || offset/rate > longest/scale {
			return nil, fmt.Errorf("the time stamp of the frame at byte %d is out of order", at)
		}
		read.Frames = append(read.Frames, Frame{At: time.Duration(offset*scale/rate)*time.Second +
			time.Duration(offset*scale%rate)*time.Second/time.Duration(rate), Data: file[at : at+int(size)]})
		at += int(size)
	}
	if len(read.Frames) == 0 {
		return nil, errors.New("it has no frames")
	}
	return read, nil
}
