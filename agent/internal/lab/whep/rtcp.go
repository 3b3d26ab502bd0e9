package whep

import (
	"github.com/pion/rtcp"
)

// rtcpPacket is one packet of a compound packet. A malformed one has an error and no content.
type rtcpPacket struct {
	header  rtcp.Header
	content rtcp.Packet
	err     error
}

// isTransportFeedback reports whether it is transport-wide feedback, which may be malformed.
func (p rtcpPacket) isTransportFeedback() bool {
	return p.header.Type == rtcp.TypeTransportSpecificFeedback && p.header.Count == rtcp.FormatTCC
}

// splitCompound calls visit with each packet, until the lengths are inconsistent. Unlike rtcp.Unmarshal, it keeps the
// others if the content of one is malformed.
func splitCompound(data []byte, visit func(rtcpPacket)) {
	for len(data) > 0 {
		var one rtcpPacket
		if one.header.Unmarshal(data) != nil {
			return
		}
		length := 4 * (1 + int(one.header.Length))
		if length > len(data) {
			return
		}
		var packets []rtcp.Packet
		if packets, one.err = rtcp.Unmarshal(data[:length]); one.err == nil {
			one.content = packets[0]
		}
		visit(one)
		data = data[length:]
	}
}
