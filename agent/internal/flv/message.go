package flv

// Message is what is kept of a message with audio, video or data.
type Message struct {
	Kind byte
	// Timestamp is in ms.
	Timestamp, Length uint32
	// Head has at most the first HeadBytes bytes. It is valid only during the call.
	Head []byte
	// HasKeyframe is set for video without a frame type, as some servers send Enhanced RTMP, whose picture needs no other.
	HasKeyframe bool
}

// Payload examines the payload of a message in pieces of any size. It allocates nothing; its zero value is ready.
type Payload struct {
	head     [HeadBytes]byte
	have     int
	pictures keyframes
}

// Write examines the next bytes of a message of a kind.
func (p *Payload) Write(kind byte, data []byte) {
	if p.have < HeadBytes {
		count := copy(p.head[p.have:], data)
		p.have += count
		if data = data[count:]; p.have < HeadBytes {
			return
		}
		p.examine(kind)
	}
	p.pictures.write(data)
}

// examine starts with the picture of which the head has the first bytes.
func (p *Payload) examine(kind byte) {
	if kind != TypeVideo {
		return
	}
	if _, one := inspectVideo(p.head[:p.have]); one.codec != "" && one.at < p.have {
		p.pictures.start(one)
		p.pictures.write(p.head[one.at:p.have])
	}
}

// Message is the complete message. The payload is ready for another one once its head is no longer used.
func (p *Payload) Message(kind byte, timestamp, length uint32) Message {
	if p.have < HeadBytes {
		p.examine(kind)
	}
	m := Message{kind, timestamp, length, p.head[:p.have], p.pictures.isFound}
	p.have, p.pictures = 0, keyframes{}
	return m
}
