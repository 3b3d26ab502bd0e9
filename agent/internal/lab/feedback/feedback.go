// Package feedback reads the RTCP of a viewer (RFC 3550, RFC 4585, RFC 5104, and the draft on transport-wide congestion control).
// It is pure, and takes whatever comes from the network.
package feedback

import (
	"encoding/binary"
	"time"
)

// RTCP packet types, and the formats of feedback.
const (
	SenderReport    = 200
	ReceiverReport  = 201
	Transport       = 205
	PayloadSpecific = 206

	FormatNACK        = 1
	FormatTransportCC = 15
	FormatPLI         = 1
	FormatFIR         = 4
)

// Packet is one of a compound packet, with what follows its sender's SSRC.
type Packet struct {
	Type   uint8
	Format uint8 // or the count of reports
	Body   []byte
}

// Compound calls visit with each packet, up to one that is malformed.
func Compound(data []byte, visit func(Packet)) {
	for len(data) >= 8 {
		length := 4 * (1 + int(binary.BigEndian.Uint16(data[2:])))
		if data[0]>>6 != 2 || length < 8 || length > len(data) {
			return
		}
		visit(Packet{Type: data[1], Format: data[0] & 0x1f, Body: data[8:length]})
		data = data[length:]
	}
}

// Report is what a viewer says of one of our streams.
type Report struct {
	SSRC           uint32
	FractionLost   uint8 // in 256ths
	CumulativeLost int32
	Jitter         uint32 // in units of the RTP clock
	RoundTrip      time.Duration
	HasRoundTrip   bool
}

const (
	senderInfoBytes  = 20
	reportBlockBytes = 24
	compactSecond    = 1 << 16
)

// Reports calls visit with each report block of a sender or receiver report. now is the middle of an NTP timestamp.
func Reports(p Packet, now uint32, visit func(Report)) {
	blocks := p.Body
	if p.Type == SenderReport {
		blocks = blocks[min(senderInfoBytes, len(blocks)):]
	}
	for count := p.Format; count > 0 && len(blocks) >= reportBlockBytes; count-- {
		report := Report{SSRC: binary.BigEndian.Uint32(blocks), FractionLost: blocks[4],
			CumulativeLost: int32(binary.BigEndian.Uint32(blocks[4:])<<8) >> 8, Jitter: binary.BigEndian.Uint32(blocks[12:])}
		last, delay := binary.BigEndian.Uint32(blocks[16:]), binary.BigEndian.Uint32(blocks[20:])
		if roundTrip := int32(now - last - delay); last != 0 && roundTrip >= 0 {
			report.RoundTrip, report.HasRoundTrip = time.Duration(roundTrip)*time.Second/compactSecond, true
		}
		visit(report)
		blocks = blocks[reportBlockBytes:]
	}
}

// Lost calls visit with each entry of a NACK: a sequence number, and a mask of those that follow it.
func Lost(p Packet, visit func(sequence, mask uint16)) {
	for lost := p.Body[min(4, len(p.Body)):]; len(lost) >= 4; lost = lost[4:] {
		visit(binary.BigEndian.Uint16(lost), binary.BigEndian.Uint16(lost[2:]))
	}
}

// MediaSSRC is the stream that a feedback packet is about, 0 when it is too short to say.
func (p Packet) MediaSSRC() uint32 {
	if len(p.Body) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(p.Body)
}
