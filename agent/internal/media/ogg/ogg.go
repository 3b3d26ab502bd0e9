// Package ogg reads the packets of an Ogg file with one Opus stream (RFC 3533, RFC 7845).
package ogg

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

const (
	pageHeaderLen = 27
	fullSegment   = 255
	// maxPackets bounds the packets of a file: an hour of 10 ms each.
	maxPackets = 360_000
)

// OpusPackets returns the audio packets in order, without the two headers.
func OpusPackets(file []byte) ([][]byte, error) {
	packets, err := readPackets(file)
	if err != nil {
		return nil, err
	}
	if len(packets) < 3 || !bytes.HasPrefix(packets[0], []byte("OpusHead")) || !bytes.HasPrefix(packets[1], []byte("OpusTags")) {
		return nil, errors.New("no Opus stream found")
	}
	return packets[2:], nil
}

func readPackets(file []byte) ([][]byte, error) {
	var packets [][]byte
	var open []byte
	for at := 0; at < len(file); {
		page := file[at:]
		if len(page) < pageHeaderLen || string(page[:4]) != "OggS" {
			return nil, fmt.Errorf("no Ogg page at byte %d", at)
		}
		segments := int(page[pageHeaderLen-1])
		body := pageHeaderLen + segments
		if len(page) < body {
			return nil, fmt.Errorf("the Ogg page at byte %d is truncated", at)
		}
		for _, size := range page[pageHeaderLen:body] {
			end := body + int(size)
			if end > len(page) {
				return nil, fmt.Errorf("the Ogg page at byte %d is truncated", at)
			}
			open = append(open, page[body:end]...)
			if len(packets) == maxPackets {
				return nil, fmt.Errorf("it has more than %d packets; use a shorter file", maxPackets)
			}
			if body = end; size < fullSegment {
				packets, open = append(packets, open), nil
			}
		}
		at += body
	}
	return packets, nil
}

// OpusDuration is the duration of a packet, from its table-of-contents byte (RFC 6716, 3.1).
func OpusDuration(packet []byte) (time.Duration, error) {
	if len(packet) == 0 {
		return 0, errors.New("empty Opus packet")
	}
	var frame time.Duration
	switch configuration := packet[0] >> 3; {
	case configuration < 12: // SILK
		frame = []time.Duration{10, 20, 40, 60}[configuration%4] * time.Millisecond
	case configuration < 16: // hybrid
		frame = []time.Duration{10, 20}[configuration%2] * time.Millisecond
	default: // CELT
		frame = []time.Duration{2500, 5000, 10000, 20000}[configuration%4] * time.Microsecond
	}
	switch packet[0] & 3 {
	case 0:
		return frame, nil
	case 1, 2:
		return 2 * frame, nil
	}
	if len(packet) < 2 {
		return 0, errors.New("an Opus packet lacks its frame count")
	}
	return time.Duration(packet[1]&0x3f) * frame, nil
}
