// Package segments makes small media segments for tests: the structure is that of real ones, the pictures are not.
package segments

import "encoding/binary"

const packetSize = 188

const (
	pmtID   = 0x1000
	videoID = 0x100
	audioID = 0x101
)

// Transport makes an MPEG-TS segment of H.264 frames of a size, and an audio frame for every second one.
func Transport(frames, frameBytes int) []byte {
	data := packet(nil, 0, true, append([]byte{0}, table(0, []byte{0, 1, 0xe0 | pmtID>>8, pmtID & 0xff})...))
	programs := []byte{0xe0 | videoID>>8, videoID & 0xff, 0xf0, 0,
		0x1b, 0xe0 | videoID>>8, videoID & 0xff, 0xf0, 0,
		0x0f, 0xe0 | audioID>>8, audioID & 0xff, 0xf0, 0}
	data = packet(data, pmtID, true, append([]byte{0}, table(2, programs)...))
	for i := range frames {
		data = unit(data, videoID, 0xe0, frameBytes)
		if i%2 == 0 {
			data = unit(data, audioID, 0xc0, 50)
		}
	}
	return data
}

// unit appends one PES packet.
func unit(data []byte, id int, stream byte, size int) []byte {
	payload := append([]byte{0, 0, 1, stream, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1}, make([]byte, size)...)
	for first := true; len(payload) > 0; first = false {
		count := min(packetSize-4, len(payload))
		data = packet(data, id, first, payload[:count])
		payload = payload[count:]
	}
	return data
}

// packet appends one packet; what is missing is stuffed by an adaptation field.
func packet(data []byte, id int, starts bool, payload []byte) []byte {
	head := []byte{0x47, byte(id >> 8), byte(id), 0x10}
	if starts {
		head[1] |= 0x40
	}
	if missing := packetSize - 4 - len(payload); missing > 0 {
		head[3] = 0x30
		head = append(head, byte(missing-1))
		if missing > 1 {
			head = append(head, 0)
		}
		for len(head)+len(payload) < packetSize {
			head = append(head, 0xff)
		}
	}
	return append(append(data, head...), payload...)
}

// table makes a table of program-specific information; its checksum is not calculated.
func table(id byte, content []byte) []byte {
	length := 5 + len(content) + 4
	return append(append([]byte{id, 0xb0 | byte(length>>8), byte(length), 0, 1, 0xc1, 0, 0}, content...), 0, 0, 0, 0)
}

// box makes a box of MP4.
func box(kind string, content ...[]byte) []byte {
	size := 8
	for _, each := range content {
		size += len(each)
	}
	data := append(binary.BigEndian.AppendUint32(nil, uint32(size)), kind...)
	for _, each := range content {
		data = append(data, each...)
	}
	return data
}

func uint32s(values ...uint32) (data []byte) {
	for _, value := range values {
		data = binary.BigEndian.AppendUint32(data, value)
	}
	return data
}

// Init makes the initialization section of Fragment: track 1 is H.264, track 2 AAC.
func Init() []byte {
	trak := func(id uint32, handler, codec string) []byte {
		entry := box("stsd", uint32s(0, 1), box(codec, make([]byte, 70)))
		return box("trak", box("tkhd", uint32s(0, 0, 0, id), make([]byte, 68)),
			box("mdia", box("hdlr", uint32s(0, 0), []byte(handler), make([]byte, 13)), box("minf", box("stbl", entry))))
	}
	return append(box("ftyp", []byte("iso5"), uint32s(0)), box("moov", trak(1, "vide", "avc1"), trak(2, "soun", "mp4a"))...)
}

// Fragment makes a segment of fragmented MP4 with frames of a size, and an audio frame for every second one.
func Fragment(frames, frameBytes int) []byte {
	traf := func(id uint32, samples int) []byte {
		return box("traf", box("tfhd", uint32s(0, id)), box("trun", uint32s(0, uint32(samples))))
	}
	return append(box("moof", box("mfhd", uint32s(0, 1)), traf(1, frames), traf(2, frames/2)), box("mdat", make([]byte, frames*frameBytes))...)
}
