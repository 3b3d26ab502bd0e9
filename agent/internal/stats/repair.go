package stats

// Repair takes a packet that came again on a stream of its own (RFC 4588): it fills the gap that waits for it, while reports to the
// sender go on calling it lost, as a browser's do. False when nothing waits for it: it came before, or its gap was given up, or it only
// probes the bandwidth. Then nothing is counted.
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
