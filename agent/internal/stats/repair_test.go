package stats

import "testing"

func TestARepairFillsItsGapAndIsNotNewMedia(t *testing.T) {
	frames := &Frames{}
	s := Stream{ClockRate: 90000, GapTimeout: GapTimeoutWithRepair, Frames: frames}
	packet := func(sequence uint16) Packet {
		return Packet{Sequence: sequence, Timestamp: uint32(sequence) * 3600, Marker: true, StartsFrame: true, Keyframe: sequence == 65534, Bytes: 100, At: int64(sequence) * 40e6}
	}
	for _, sequence := range []uint16{65534, 1, 2} { // 65535 and 0 are missing
		p := packet(sequence)
		p.At = int64(uint16(sequence+3)) * 40e6
		s.Receive(p)
	}
	again := func(sequence uint16) bool {
		p := packet(sequence)
		p.At = 210e6
		return s.Repair(p)
	}
	for _, sequence := range []uint16{65534, 1, 2, 3, 700} {
		if again(sequence) {
			t.Errorf("packet %d was accepted as a repair", sequence)
		}
	}
	if !again(0) || again(0) || !s.Gap() {
		t.Error("the packets after the second gap are not held")
	}
	if !again(65535) || s.Gap() {
		t.Error("the gap is not closed")
	}
	if again(65535) || again(0) {
		t.Error("a duplicate repair was counted twice")
	}
	if s.Packets != 5 || s.Bytes != 500 || s.Repaired != 2 || s.Lost != 0 || s.Expected != 5 || s.Late != 0 || frames.Complete != 5 {
		t.Errorf("%+v, %d frames", s, frames.Complete)
	}
	if report := s.Report(); report.CumulativeLost != 2 || report.FractionLost == 0 {
		t.Errorf("the report hides the loss on the stream itself: %+v", report)
	}
	s.Receive(packet(3))
	if report := s.Report(); report.CumulativeLost != 2 || report.FractionLost != 0 {
		t.Errorf("%+v", report)
	}
}

func TestALateRepair(t *testing.T) {
	s := Stream{ClockRate: 90000, GapTimeout: GapTimeoutWithRepair}
	for _, sequence := range []uint16{1, 3} {
		s.Receive(Packet{Sequence: sequence, At: 1})
	}
	s.Expire(1 + GapTimeoutWithRepair)
	if s.Repair(Packet{Sequence: 2, At: 300e6}) || s.Packets != 2 || s.Lost != 1 {
		t.Errorf("%+v", s)
	}
}
