// Package content examines segments in MPEG-TS and fragmented MP4 as they arrive: how many video frames they have and
// which codec. Nothing is decoded, and nothing but headers is kept.
package content

import (
	"bytes"
	"errors"
)

// Found is what a segment contains.
type Found struct {
	VideoFrames int
	AudioFrames int
	// Codec of the video as in sentences, e.g. H.264; empty if unknown.
	Codec string
	// LostBytes are those of MPEG-TS that are no packets, after the first one.
	LostBytes int
}

// ErrUnknown is the error of content in neither format.
var ErrUnknown = errors.New("the segment is neither MPEG-TS nor fragmented MP4 nor packed audio")

// Scanner examines one segment in pieces of any size.
type Scanner struct {
	found  Found
	init   *Init
	ts     *transport
	boxes  *boxes
	failed error
	packed bool // audio without a container
	// isGuess is a transport stream that does not start with a packet.
	isGuess bool
	start   []byte
	cipher  *decrypter
}

// NewScanner examines a segment; its initialization section is needed for fragmented MP4, and a cipher for one that is
// encrypted, else nil.
func NewScanner(init *Init, encrypted *Cipher) *Scanner {
	s := &Scanner{init: init}
	if encrypted != nil {
		s.cipher = encrypted.decrypter()
	}
	return s
}

// Write examines the next bytes. Errors are kept for Result.
func (s *Scanner) Write(data []byte) {
	if s.failed != nil || s.packed {
		return
	}
	if s.cipher != nil {
		data = s.cipher.next(data)
	}
	s.write(data)
}

func (s *Scanner) write(data []byte) {
	if s.ts == nil && s.boxes == nil {
		s.start = append(s.start, data...)
		if len(s.start) < 8 {
			return
		}
		data, s.start = s.start, nil
		switch {
		case data[0] == syncByte:
			s.ts = &transport{}
		case isBox(data) && !isPicture(data):
			s.boxes = &boxes{}
		case isPackedAudio(data):
			s.packed = true
			return
		default: // packets may follow, e.g. after the header of a picture
			s.ts, s.isGuess = &transport{}, true
		}
	}
	if s.ts != nil {
		s.failed = s.ts.write(data, &s.found)
		return
	}
	s.failed = s.boxes.write(data, func(kind string, body []byte) error {
		if kind == "moof" {
			return s.init.count(body, &s.found)
		}
		return nil
	})
}

// isPicture reports whether content starts like PNG, JPEG, GIF or BMP: hosts of pictures are used for segments too.
func isPicture(data []byte) bool {
	for _, start := range []string{"\x89PNG", "\xff\xd8\xff", "GIF8", "BM"} {
		if bytes.HasPrefix(data, []byte(start)) {
			return true
		}
	}
	return false
}

// isPackedAudio reports whether content is audio without a container (RFC 8216, 3.4): an ID3 tag, or the first frame of
// AAC, MP3 or AC-3. Its frames are not counted.
func isPackedAudio(data []byte) bool {
	return bytes.HasPrefix(data, []byte("ID3")) || data[0] == 0xff && data[1]&0xe0 == 0xe0 || data[0] == 0x0b && data[1] == 0x77
}

// Result is what the whole segment contains.
func (s *Scanner) Result() (Found, error) {
	if s.packed {
		return s.found, nil
	}
	if s.cipher != nil && s.failed == nil {
		rest, err := s.cipher.end()
		if err != nil {
			return s.found, err
		}
		s.write(rest)
	}
	if s.failed == nil && s.ts == nil && s.boxes == nil {
		return s.found, ErrUnknown
	}
	if s.ts != nil && s.failed == nil {
		s.failed = s.ts.end(&s.found)
	}
	if s.failed != nil && s.isGuess && s.ts.packets == 0 {
		s.failed = ErrUnknown
	}
	return s.found, s.failed
}
