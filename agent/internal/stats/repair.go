package stats

// RepairedApart is how many packets another stream has repaired.
func (s *Stream) RepairedApart() uint64 { return s.apart }

// Repair counts a packet that was retransmitted on another stream (RFC 4588): it fills its gap, while reports to the
// sender still count it as lost, as a browser's do. It is false, and nothing is counted, for a duplicate, for a gap
// given up, or for a bandwidth probe.
func (s *Stream) Repair(p Packet) bool {
	if len(s.waiting) == 0 {
		return false
	}
	sequence := s.extend(p.Sequence)
	if sequence < s.next || sequence >= s.waiting[len(s.waiting)-1].sequence {
		return false
	}
	for i := range s.waiting {
		if s.waiting[i].sequence == sequence {
			return false
		}
	}
	s.Packets++
	s.Bytes += uint64(p.Bytes)
	s.apart++
	packet := held{sequence: sequence, timestamp: p.Timestamp, marker: p.Marker, startsFrame: p.StartsFrame, keyframe: p.Keyframe, at: p.At}
	if sequence == s.next {
		s.Repaired++
		s.pass(packet, true, p.At)
		s.drain(p.At)
	} else {
		s.hold(packet)
	}
	return true
}
