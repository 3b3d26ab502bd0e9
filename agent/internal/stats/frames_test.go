package stats

import "testing"

// part is one packet of a frame.
type part struct {
	sequence, frame int
	flags           string // s starts the frame, k keyframe, m marker
	ms              int
}

func play(parts ...part) *Frames {
	f := &Frames{}
	s := &Stream{ClockRate: 90000, GapTimeout: GapTimeoutWithoutRepair, Frames: f}
	for _, p := range parts {
		packet := Packet{Sequence: uint16(p.sequence), Timestamp: uint32(p.frame) * 3600, At: int64(p.ms) * msNs}
		for _, flag := range p.flags {
			packet.StartsFrame = packet.StartsFrame || flag == 's'
			packet.Keyframe = packet.Keyframe || flag == 'k'
			packet.Marker = packet.Marker || flag == 'm'
		}
		s.Receive(packet)
	}
	return f
}

func TestFramesAreCompleteWithoutAGap(t *testing.T) {
	for _, test := range []struct {
		name             string
		parts            []part
		complete, broken uint64
		firstMs          int64
	}{
		{"one packet each", []part{{1, 1, "skm", 40}, {2, 2, "sm", 80}}, 2, 0, 40},
		{"three packets", []part{{1, 1, "sk", 40}, {2, 1, "k", 41}, {3, 1, "km", 45}}, 1, 0, 45},
		{"no keyframe yet", []part{{1, 1, "sm", 40}, {2, 2, "sm", 80}, {3, 3, "skm", 120}}, 1, 0, 120},
		{"joined within a keyframe", []part{{1, 1, "k", 40}, {2, 1, "km", 41}, {3, 2, "sm", 80}}, 0, 1, 0},
		{"without markers", []part{{1, 1, "sk", 40}, {2, 1, "k", 42}, {3, 2, "s", 80}, {4, 3, "s", 120}}, 2, 0, 42},
		{"the middle is lost", []part{{1, 1, "skm", 40}, {2, 2, "s", 80}, {4, 2, "m", 82}, {5, 3, "sm", 320}}, 2, 1, 40},
		{"the end is lost", []part{{1, 1, "skm", 40}, {2, 2, "s", 80}, {4, 3, "sm", 120}, {5, 4, "sm", 320}}, 3, 1, 40},
		{"the start is lost", []part{{1, 1, "skm", 40}, {3, 2, "m", 82}, {4, 3, "sm", 320}}, 2, 1, 40},
		{"a complete frame is lost", []part{{1, 1, "skm", 40}, {3, 3, "sm", 120}, {4, 4, "sm", 320}}, 3, 0, 40},
		{"reordered within a frame", []part{{1, 1, "sk", 40}, {3, 1, "km", 41}, {2, 1, "k", 44}}, 1, 0, 44},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := play(test.parts...)
			if f.Complete != test.complete || f.Broken != test.broken || f.FirstAt != test.firstMs*msNs {
				t.Errorf("complete %d, broken %d, first at %d ms, want %d, %d, %d", f.Complete, f.Broken, f.FirstAt/msNs, test.complete, test.broken, test.firstMs)
			}
		})
	}
}

func TestStallsAreGapsOfHalfASecond(t *testing.T) {
	f := play(part{1, 1, "skm", 1000}, part{2, 2, "sm", 1499}, part{3, 3, "sm", 1999}, part{4, 4, "sm", 2039})
	if f.Stalls != 1 || f.StalledNs != 500*msNs {
		t.Errorf("%d stalls, %d ms stalled, want 1 of 500 ms", f.Stalls, f.StalledNs/msNs)
	}
	if longest := f.TakeLongest(); longest != 500*msNs {
		t.Errorf("the longest gap is %d ms", longest/msNs)
	}
	if longest := f.TakeLongest(); longest != 0 {
		t.Errorf("the second time, the longest gap is %d ms", longest/msNs)
	}
}

func TestAnOngoingStallCountsOnce(t *testing.T) {
	f := play(part{1, 1, "skm", 1000})
	if f.GapNs(1400 * msNs); f.Stalls != 0 {
		t.Error("400 ms are not a stall")
	}
	f.GapNs(1600 * msNs)
	if gap := f.GapNs(1700 * msNs); gap != 700*msNs || f.Stalls != 1 || f.StalledUntil(1700*msNs) != 700*msNs {
		t.Errorf("gap %d ms, %d stalls, %d ms stalled", gap/msNs, f.Stalls, f.StalledUntil(1700*msNs)/msNs)
	}
	f.add(held{sequence: 2, timestamp: 7200, marker: true, startsFrame: true, at: 1800 * msNs}, true, 1800*msNs)
	if f.Stalls != 1 || f.StalledNs != 800*msNs {
		t.Errorf("ended: %d stalls, %d ms stalled, want 1 of 800 ms", f.Stalls, f.StalledNs/msNs)
	}
}

func TestBeforeTheFirstFrameNothingStalls(t *testing.T) {
	f := &Frames{}
	if f.GapNs(1e12) != 0 || f.Stalls != 0 || f.StalledUntil(1e12) != 0 {
		t.Error("a viewer without a first frame stalled")
	}
}
