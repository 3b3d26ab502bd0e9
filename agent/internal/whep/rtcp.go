package whep

import (
	"encoding/binary"

	"fullhouse/agent/internal/stats"
)

// RTCP packet types (RFC 3550, RFC 4585).
const (
	rtcpSenderReport   = 200
	rtcpReceiverReport = 201
	rtcpDescription    = 202
	rtcpGoodbye        = 203
	rtcpTransportFB    = 205
	rtcpPayloadFB      = 206
	feedbackNACK       = 1
	feedbackPLI        = 1
)

// senderReport is what the receiver must give back for the sender's round trip.
type senderReport struct {
	middleNTP uint32
	at        int64
}

// delaySince is DLSR in 1/65536 s.
func (r senderReport) delaySince(now int64) uint32 {
	if r.at == 0 {
		return 0
	}
	return uint32((now - r.at) * 65536 / 1e9)
}

func appendHeader(b []byte, count, kind byte, words int, ssrc uint32) []byte {
	b = append(b, 0x80|count, kind, byte(words>>8), byte(words))
	return binary.BigEndian.AppendUint32(b, ssrc)
}

func appendBlock(b []byte, ssrc uint32, report stats.Report, last senderReport, now int64) []byte {
	b = binary.BigEndian.AppendUint32(b, ssrc)
	b = binary.BigEndian.AppendUint32(b, uint32(report.FractionLost)<<24|uint32(report.CumulativeLost)&0xffffff)
	b = binary.BigEndian.AppendUint32(b, report.Highest)
	b = binary.BigEndian.AppendUint32(b, report.Jitter)
	b = binary.BigEndian.AppendUint32(b, last.middleNTP)
	return binary.BigEndian.AppendUint32(b, last.delaySince(now))
}

// appendDescription adds the SDES packet with the canonical name that a compound packet must have.
func appendDescription(b []byte, ssrc uint32, name string) []byte {
	size := 2 + len(name)
	padded := size + 4 - size%4 // at least one zero byte ends the items
	b = appendHeader(b, 1, rtcpDescription, 1+padded/4, ssrc)
	b = append(b, 1, byte(len(name)))
	b = append(b, name...)
	return append(b, make([]byte, padded-size)...)
}

func appendPLI(b []byte, ssrc, mediaSSRC uint32) []byte {
	b = appendHeader(b, feedbackPLI, rtcpPayloadFB, 2, ssrc)
	return binary.BigEndian.AppendUint32(b, mediaSSRC)
}

// appendNACK asks for packets again; missing is in order of sequence.
func appendNACK(b []byte, ssrc, mediaSSRC uint32, missing []uint16) []byte {
	start := len(b)
	b = appendHeader(b, feedbackNACK, rtcpTransportFB, 2, ssrc)
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

// compound calls visit with each packet of a compound packet, until one is malformed.
func compound(data []byte, visit func(kind byte, packet []byte)) {
	for len(data) >= 4 {
		size := 4 * (int(binary.BigEndian.Uint16(data[2:])) + 1)
		if data[0]>>6 != 2 || size > len(data) {
			return
		}
		visit(data[1], data[:size])
		data = data[size:]
	}
}
