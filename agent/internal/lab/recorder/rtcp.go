package recorder

import (
	"fmt"
	"strings"

	"github.com/pion/rtcp"

	"fullhouse/agent/internal/media"
)

// control parses a viewer's RTCP.
func (s *session) control(data []byte) {
	plain, err := s.inbound.DecryptRTCP(nil, data, nil)
	if err != nil {
		s.rtcp.add("undecryptable", sinceMs(s.keysAt))
		return
	}
	packets, err := rtcp.Unmarshal(plain)
	if err != nil {
		s.rtcp.add("unreadable", sinceMs(s.keysAt))
		return
	}
	at := sinceMs(s.keysAt)
	var kinds []string
	for _, packet := range packets {
		kinds = append(kinds, s.packet(packet, at))
	}
	s.rtcp.add(strings.Join(kinds, "+"), at)
}

func (s *session) packet(packet rtcp.Packet, at float64) string {
	switch p := packet.(type) {
	case *rtcp.ReceiverReport:
		s.sender = p.SSRC
		about := make([]string, len(p.Reports))
		for i, report := range p.Reports {
			about[i] = s.nameOf(report.SSRC)
		}
		return "RR(" + strings.Join(about, ",") + ")"
	case *rtcp.SourceDescription:
		for _, chunk := range p.Chunks {
			for _, item := range chunk.Items {
				if item.Type == rtcp.SDESCNAME {
					s.name = len(item.Text)
				}
			}
		}
		return "SDES"
	case *rtcp.PictureLossIndication:
		s.keyframeWanted = true
		return "PLI"
	case *rtcp.FullIntraRequest:
		s.keyframeWanted = true
		return "FIR"
	case *rtcp.TransportLayerNack:
		for _, pair := range p.Nacks {
			for _, sequence := range pair.PacketList() {
				s.handleRequest(p.MediaSSRC, sequence, at)
			}
		}
		return "NACK"
	case *rtcp.TransportLayerCC:
		s.feedback = append(s.feedback, feedbackSeen{at, int(p.PacketStatusCount), p.MarshalSize(), p.MediaSSRC == s.tracks[media.Video].ssrc})
		return "TWCC"
	case *rtcp.ReceiverEstimatedMaximumBitrate:
		return "REMB"
	case *rtcp.ExtendedReport:
		return "XR"
	case *rtcp.Goodbye:
		s.note("BYE")
		return "BYE"
	}
	return fmt.Sprintf("%T", packet)
}

// nameOf is the name of our stream with an SSRC.
func (s *session) nameOf(ssrc uint32) string {
	for kind := range s.tracks {
		switch ssrc {
		case s.tracks[kind].ssrc:
			return media.Kind(kind).String()
		case s.tracks[kind].rtxSSRC:
			return "rtx"
		}
	}
	return "unknown"
}
