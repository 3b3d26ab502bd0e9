package content

import "errors"

const (
	syncByte   = 0x47
	packetSize = 188
	patID      = 0
)

var errTransport = errors.New("the segment is not valid MPEG-TS")

// transport scans an MPEG transport stream (ISO/IEC 13818-1). A PES packet of video is taken as one frame, as encoders
// for HLS write it.
type transport struct {
	packet [packetSize]byte
	have   int
	pmt    int // 0 before the program association table
	video  int
	audio  int
}

func (t *transport) write(data []byte, content *Found) error {
	for len(data) > 0 {
		if t.have == 0 && len(data) >= packetSize {
			if err := t.scan(data[:packetSize], content); err != nil {
				return err
			}
			data = data[packetSize:]
			continue
		}
		count := copy(t.packet[t.have:], data)
		data = data[count:]
		if t.have += count; t.have == packetSize {
			t.have = 0
			if err := t.scan(t.packet[:], content); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *transport) scan(packet []byte, content *Found) error {
	if packet[0] != syncByte {
		return errTransport
	}
	startsUnit := packet[1]&0x40 != 0
	id := int(packet[1]&0x1f)<<8 | int(packet[2])
	if !startsUnit || id != patID && id != t.pmt && id != t.video && id != t.audio {
		return nil
	}
	payload := packet[4:]
	if packet[3]&0x20 != 0 { // adaptation field
		length := int(payload[0]) + 1
		if length > len(payload) {
			return errTransport
		}
		payload = payload[length:]
	}
	if packet[3]&0x10 == 0 {
		return nil
	}
	switch id {
	case patID:
		t.associate(payload)
	case t.pmt:
		t.programs(payload, content)
	case t.video:
		content.VideoFrames++
	case t.audio:
		content.AudioFrames++
	}
	return nil
}

// section returns a table after its pointer field, without its CRC.
func section(payload []byte, head int) []byte {
	if len(payload) < 1 || len(payload) < 1+int(payload[0])+3 {
		return nil
	}
	table := payload[1+int(payload[0]):]
	length := 3 + (int(table[1]&0x0f)<<8 | int(table[2])) - 4
	if length < head || length > len(table) {
		return nil
	}
	return table[:length]
}

// associate reads the program association table: the first program is played.
func (t *transport) associate(payload []byte) {
	table := section(payload, 8)
	for at := 8; at+4 <= len(table); at += 4 {
		if number := int(table[at])<<8 | int(table[at+1]); number != 0 {
			t.pmt = int(table[at+2]&0x1f)<<8 | int(table[at+3])
			return
		}
	}
}

// streamCodecs are the types of streams (ISO/IEC 13818-1 table 2-34).
var streamCodecs = map[byte]string{0x01: "MPEG-1", 0x02: "MPEG-2", 0x10: "MPEG-4", 0x1b: "H.264", 0x24: "H.265", 0x33: "H.266"}

// programs reads the program map table.
func (t *transport) programs(payload []byte, content *Found) {
	table := section(payload, 12)
	if table == nil {
		return
	}
	at := 12 + (int(table[10]&0x0f)<<8 | int(table[11]))
	for at+5 <= len(table) {
		kind, id := table[at], int(table[at+1]&0x1f)<<8|int(table[at+2])
		if codec := streamCodecs[kind]; codec != "" && t.video == 0 {
			t.video, content.Codec = id, codec
		} else if codec == "" && t.audio == 0 && isAudio(kind) {
			t.audio = id
		}
		at += 5 + (int(table[at+3]&0x0f)<<8 | int(table[at+4]))
	}
}

func isAudio(kind byte) bool {
	switch kind {
	case 0x03, 0x04, 0x0f, 0x11, 0x81, 0x87:
		return true
	}
	return false
}
