// Package feedback writes and parses the RTCP of a viewer (RFC 3550, RFC 4585).
package feedback

import (
	"encoding/binary"
	"math/bits"

	"fullhouse/agent/internal/stats"
)

// RTCP packet types (RFC 3550, RFC 4585).
const (
	SenderReportType      = 200
	ReceiverReportType    = 201
	ByeType               = 203
	transportFeedbackType = 205
	payloadFeedbackType   = 206
	feedbackNACK          = 1
	feedbackPLI           = 1
	feedbackAFB           = 15 // application layer, of which REMB is one
)

// SenderInfoEnd is where the report blocks of a sender report start (RFC 3550 6.4.1).
const SenderInfoEnd = 28

// SenderReport is what the receiver must return for the sender's round-trip time.
type SenderReport struct {
	MiddleNTP uint32
	At        int64
}

// delaySince is DLSR in 1/65536 s.
func (r SenderReport) delaySince(now int64) uint32 {
	if r.At == 0 {
		return 0
	}
	return uint32((now - r.At) * 65536 / 1e9)
}

func AppendHeader(b []byte, count, kind byte, words int, ssrc uint32) []byte {
	b = append(b, 0x80|count, kind, byte(words>>8), byte(words))
	return binary.BigEndian.AppendUint32(b, ssrc)
}

func AppendBlock(b []byte, ssrc uint32, report stats.Report, last SenderReport, now int64) []byte {
	b = binary.BigEndian.AppendUint32(b, ssrc)
	b = binary.BigEndian.AppendUint32(b, uint32(report.FractionLost)<<24|uint32(report.CumulativeLost)&0xffffff)
	b = binary.BigEndian.AppendUint32(b, report.Highest)
	b = binary.BigEndian.AppendUint32(b, report.Jitter)
	b = binary.BigEndian.AppendUint32(b, last.MiddleNTP)
	return binary.BigEndian.AppendUint32(b, last.delaySince(now))
}

func AppendPLI(b []byte, ssrc, mediaSSRC uint32) []byte {
	b = AppendHeader(b, feedbackPLI, payloadFeedbackType, 2, ssrc)
	return binary.BigEndian.AppendUint32(b, mediaSSRC)
}

// AppendREMB writes a receiver's bandwidth estimate in bit/s (draft-alvestrand-rmcat-remb), as a mantissa of 18 bits.
func AppendREMB(b []byte, ssrc uint32, bitsPerSecond uint64, mediaSSRC uint32) []byte {
	exponent := max(bits.Len64(bitsPerSecond)-18, 0)
	b = AppendHeader(b, feedbackAFB, payloadFeedbackType, 5, ssrc)
	b = append(b, 0, 0, 0, 0, 'R', 'E', 'M', 'B')
	b = binary.BigEndian.AppendUint32(b, 1<<24|uint32(exponent)<<18|uint32(bitsPerSecond>>exponent))
	return binary.BigEndian.AppendUint32(b, mediaSSRC)
}

// AppendNACK requests packets again; missing is in order of sequence.
func AppendNACK(b []byte, ssrc, mediaSSRC uint32, missing []uint16) []byte {
	start := len(b)
	b = AppendHeader(b, feedbackNACK, transportFeedbackType, 2, ssrc)
	b = binary.BigEndian.AppendUint32(b, mediaSSRC)
	for i := 0; i < len(missing); {
		first, mask := missing[i], uint16(0)
		for i++; i < len(missing) && missing[i]-first <= 16; i++ {
			mask |= 1 << (missing[i] - first - 1)
		}
		b = binary.BigEndian.AppendUint16(b, first)
		b = binary.BigEndian.AppendUint16(b, mask)
	}
	binary.BigEndian.PutUint16(b[start+2:], uint16((len(b)-start)/4-1))
	return b
}

// Compound calls visit with each packet of a compound packet, until one is malformed.
func Compound(data []byte, visit func(kind byte, packet []byte)) {
	for len(data) >= 4 {
		size := 4 * (int(binary.BigEndian.Uint16(data[2:])) + 1)
		if data[0]>>6 != 2 || size > len(data) {
			return
		}
		visit(data[1], data[:size])
		data = data[size:]
	}
}

// IsKeyframeRequest reports whether a packet is a PLI or a FIR.
func IsKeyframeRequest(kind byte, packet []byte) bool {
	const feedbackFIR = 4
	format := packet[0] & 0x1f
	return kind == payloadFeedbackType && (format == feedbackPLI || format == feedbackFIR)
}

// RequestsKeyframe reports whether a keyframe request is of a stream: a PLI names it as its media source (RFC 4585
// 6.3.1), a FIR in its entries (RFC 5104 4.3.1).
func RequestsKeyframe(packet []byte, ssrc uint32) bool {
	const entrySize = 8
	if len(packet) < 12 {
		return false
	}
	if packet[0]&0x1f == feedbackPLI {
		return binary.BigEndian.Uint32(packet[8:]) == ssrc
	}
	for packet = packet[12:]; len(packet) >= entrySize; packet = packet[entrySize:] {
		if binary.BigEndian.Uint32(packet) == ssrc {
			return true
		}
	}
	return false
}

// Missing calls visit with each packet of a stream that a generic NACK requests again; nothing for other packets.
func Missing(kind byte, packet []byte, ssrc uint32, visit func(sequence uint16)) {
	if kind != transportFeedbackType || packet[0]&0x1f != feedbackNACK || len(packet) < 12 || binary.BigEndian.Uint32(packet[8:]) != ssrc {
		return
	}
	for packet = packet[12:]; len(packet) >= 4; packet = packet[4:] {
		first, mask := binary.BigEndian.Uint16(packet), binary.BigEndian.Uint16(packet[2:])
		visit(first)
		for bit := range uint16(16) {
			if mask>>bit&1 != 0 {
				visit(first + bit + 1)
			}
		}
	}
}
