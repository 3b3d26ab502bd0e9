package content

import "errors"

const (
	syncByte   = 0x47
	packetSize = 188
	patID      = 0
)

var errTransport = errors.New("the segment is not valid MPEG-TS")

// strides are the distances between packets: as they are, with a time (Blu-ray), and with error correction (DVB).
var strides = [...]int{packetSize, 192, 204}

const (
	maxStride = 204
	// minSync is how many sync bytes in a row distinguish packets from other bytes.
	minSync = 3
	// searched is how much must follow a byte before it is known to start packets.
	searched = (minSync-1)*maxStride + 1
	// maxPrefix bounds what precedes the first packet, such as the header of a picture as which a segment is disguised.
	maxPrefix = 1 << 20
)

// transport scans an MPEG transport stream (ISO/IEC 13818-1). A PES packet of video is taken as one frame, as encoders
// for HLS write it. Bytes that are no packets are skipped, and counted.
type transport struct {
	packet  [maxStride]byte
	have    int
	stride  int    // 0 while the start of packets is searched
	pending []byte // while it is searched: at most the size of one write and searched
	packets int
	prefix  int // bytes before the first packet
	lost    int // bytes that are no packets, after it
	pmt     int // 0 before the program association table
	video   int
	audio   int
}

func (t *transport) write(data []byte, content *Found) error {
	for len(data) > 0 {
		if t.stride == 0 {
			t.pending = append(t.pending, data...)
			data = nil
			if at, stride := t.search(); stride > 0 {
				data = t.synchronize(at, stride)
			}
			if t.packets == 0 && t.prefix > maxPrefix {
				return errTransport
			}
			continue
		}
		count := copy(t.packet[t.have:t.stride], data)
		data = data[count:]
		if t.have += count; t.have == t.stride {
			t.complete(content)
		}
	}
	return nil
}

// complete scans a packet; without its sync byte it searches the next one.
func (t *transport) complete(content *Found) {
	whole := t.packet[:t.have]
	t.have = 0
	if whole[0] != syncByte {
		t.stride = 0
		t.pending = append(t.pending[:0], whole...)
		return
	}
	t.packets++
	if !t.scan(whole[:packetSize], content) {
		t.lost += packetSize
	}
}

// search finds where packets start, and drops what precedes any possible start.
func (t *transport) search() (at, stride int) {
	for at = 0; at+searched <= len(t.pending); at++ {
		if t.pending[at] != syncByte {
			continue
		}
		for _, stride := range strides {
			if t.pending[at+stride] == syncByte && t.pending[at+2*stride] == syncByte {
				return at, stride
			}
		}
	}
	t.skip(at)
	t.pending = t.pending[:copy(t.pending, t.pending[at:])]
	return 0, 0
}

func (t *transport) skip(count int) {
	if t.packets == 0 {
		t.prefix += count
	} else {
		t.lost += count
	}
}

// synchronize continues with packets; it returns what is to be read again.
func (t *transport) synchronize(at, stride int) []byte {
	t.skip(at)
	data := t.pending[at:]
	t.stride, t.pending = stride, nil
	return data
}

// end scans what is left: the last packets are too few to be distinguished, or one lacks what follows it.
func (t *transport) end(content *Found) error {
	if t.stride != 0 && t.have > 0 && t.have < packetSize {
		t.skip(t.have)
		t.have = 0
	}
	if t.have >= packetSize {
		t.complete(content)
	}
	for t.stride == 0 && len(t.pending) > 0 {
		at, stride := t.lastPackets()
		if stride == 0 {
			t.skip(len(t.pending))
			t.pending = nil
			break
		}
		for data := t.synchronize(at, stride); len(data) >= packetSize; data = data[min(stride, len(data)):] {
			t.have = copy(t.packet[:], data[:min(stride, len(data))])
			t.complete(content)
		}
	}
	if t.packets == 0 || t.lost > t.packets*packetSize {
		return errTransport
	}
	content.LostBytes = t.lost
	return nil
}

// lastPackets finds packets that are followed by nothing else.
func (t *transport) lastPackets() (at, stride int) {
	for at = range t.pending {
		for _, stride := range strides {
			if rest := len(t.pending) - at; rest%stride != 0 && rest%stride != packetSize || rest < packetSize {
				continue
			}
			isPacket := true
			for next := at; next < len(t.pending); next += stride {
				isPacket = isPacket && t.pending[next] == syncByte
			}
			if isPacket {
				return at, stride
			}
		}
	}
	return 0, 0
}

// scan reads a packet; false if it is damaged.
func (t *transport) scan(packet []byte, content *Found) bool {
	startsUnit := packet[1]&0x40 != 0
	id := int(packet[1]&0x1f)<<8 | int(packet[2])
	if !startsUnit || id != patID && id != t.pmt && id != t.video && id != t.audio {
		return true
	}
	payload := packet[4:]
	if packet[3]&0x20 != 0 { // adaptation field
		length := int(payload[0]) + 1
		if length > len(payload) {
			return false
		}
		payload = payload[length:]
	}
	if packet[3]&0x10 == 0 {
		return true
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
	return true
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
