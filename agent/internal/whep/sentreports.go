package whep

import (
	"encoding/binary"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/whep/feedback"
)

// report reads the blocks about the sent video.
func (o *outgoing) report(kind byte, packet []byte, at int64) {
	offset := 8
	if kind == feedback.SenderReportType {
		offset = feedback.SenderInfoEnd
	}
	for range packet[0] & 0x1f {
		if len(packet) < offset+24 {
			return
		}
		block := packet[offset : offset+24]
		offset += 24
		if binary.BigEndian.Uint32(block) != o.ssrc[media.Video] {
			continue
		}
		o.sent.LossPercent = float64(block[4]) * 100 / 256
		o.sent.Reported = true
		if last := binary.BigEndian.Uint32(block[16:]); last != 0 {
			trip := ntp.Middle(ntp.Timestamp(at)) - last - binary.BigEndian.Uint32(block[20:])
			if int32(trip) >= 0 {
				o.sent.RoundTripNs = int64(trip) * 1e9 / 65536
			}
		}
	}
}

// appendSenderReports adds a report of each stream that has packets (RFC 3550 6.4.1).
func (o *outgoing) appendSenderReports(packet []byte, now int64) []byte {
	for kind := range o.ssrc {
		if o.packets[kind] == 0 {
			continue
		}
		packet = feedback.AppendHeader(packet, 0, feedback.SenderReportType, 6, o.ssrc[kind])
		packet = binary.BigEndian.AppendUint64(packet, ntp.Timestamp(now))
		// The timestamp of now: the stream's clock runs on between packets.
		elapsed := now - o.origin
		packet = binary.BigEndian.AppendUint32(packet, o.offset[kind]+uint32(elapsed/1000*media.Kind(kind).ClockRate()/1_000_000))
		packet = binary.BigEndian.AppendUint32(packet, uint32(o.packets[kind]))
		packet = binary.BigEndian.AppendUint32(packet, uint32(o.octets[kind]))
	}
	return packet
}
