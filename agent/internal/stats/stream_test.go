package stats

import (
	"math"
	"slices"
	"testing"
)

const msNs = int64(1e6)

// feed passes packets of one frame each to a stream, 40 ms apart, in the order of the sequence numbers.
func feed(s *Stream, sequences ...int) {
	for i, sequence := range sequences {
		s.Receive(Packet{Sequence: uint16(sequence), Timestamp: uint32(sequence) * 3600, Marker: true, StartsFrame: true, Keyframe: true,
			Bytes: 100, At: int64(i+1) * 40 * msNs})
	}
}

func newStream() *Stream {
	return &Stream{ClockRate: 90000, GapTimeout: GapTimeoutWithoutRepair, Frames: &Frames{}}
}

func TestStreamCountsLossAfterRepair(t *testing.T) {
	for _, test := range []struct {
		name                                   string
		sequences                              []int
		lost, late, repaired, expected, frames uint64
	}{
		{"in order", []int{1, 2, 3, 4}, 0, 0, 0, 4, 4},
		{"wrap", []int{65534, 65535, 65536, 65537}, 0, 0, 0, 4, 4},
		{"two swapped", []int{1, 3, 2, 4}, 0, 0, 1, 4, 4},
		{"swapped over the wrap", []int{65534, 65536, 65535, 65537}, 0, 0, 1, 4, 4},
		{"one lost", []int{1, 2, 4, 5, 6, 7, 8}, 1, 0, 0, 8, 7},
		{"three lost over the wrap", []int{65533, 65537, 65538, 65539, 65540, 65541}, 3, 0, 0, 9, 6},
		{"two gaps", []int{1, 3, 5, 6, 7, 8, 9, 10}, 2, 0, 0, 10, 8},
		{"double", []int{1, 2, 2, 3}, 0, 1, 0, 3, 3},
		{"duplicate after a gap", []int{1, 3, 3, 2}, 0, 1, 1, 3, 3},
		{"too late", []int{1, 3, 4, 5, 6, 7, 2}, 1, 1, 0, 7, 6},
		{"two gaps repaired in reverse", []int{1, 3, 5, 4, 2}, 0, 0, 2, 5, 5},
		{"sender restarted", []int{1, 2, 40000, 40001}, 0, 0, 0, 4, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStream()
			feed(s, test.sequences...)
			s.Expire(math.MaxInt64)
			got := []uint64{s.Lost, s.Late, s.Repaired, s.Expected, s.Frames.Complete}
			if want := []uint64{test.lost, test.late, test.repaired, test.expected, test.frames}; !slices.Equal(got, want) {
				t.Errorf("lost, late, repaired, expected, frames are %v, want %v", got, want)
			}
		})
	}
}

func TestAGapIsLossOnlyAfterTheTimeout(t *testing.T) {
	s := newStream()
	s.Receive(Packet{Sequence: 1, At: 0})
	s.Receive(Packet{Sequence: 3, At: 10 * msNs})
	if s.Expire(109 * msNs); s.Lost != 0 || !s.Gap() {
		t.Errorf("lost %d before the gap timed out", s.Lost)
	}
	if missing := s.Missing(nil, 10); !slices.Equal(missing, []uint16{2}) {
		t.Errorf("missing %v, want 2", missing)
	}
	if s.Expire(110 * msNs); s.Lost != 1 || s.Gap() {
		t.Errorf("lost %d after it expired, want 1", s.Lost)
	}
}

func TestMissingListsAllGapsOverTheWrap(t *testing.T) {
	s := newStream()
	for i, sequence := range []int{65534, 65537, 65539} {
		s.Receive(Packet{Sequence: uint16(sequence), At: int64(i)})
	}
	if missing := s.Missing(nil, 10); !slices.Equal(missing, []uint16{65535, 0, 2}) {
		t.Errorf("missing %v", missing)
	}
	if missing := s.Missing(nil, 2); len(missing) != 2 {
		t.Errorf("missing %v, want at most 2", missing)
	}
}

func TestManyPacketsAfterAGapDoNotAccumulate(t *testing.T) {
	s := newStream()
	s.Receive(Packet{Sequence: 0})
	for i := 2; i < 2000; i++ {
		s.Receive(Packet{Sequence: uint16(i)})
	}
	if len(s.waiting) > maxWaiting || s.Lost != 1 {
		t.Errorf("%d wait, %d lost", len(s.waiting), s.Lost)
	}
}

func TestRolloverFollowsTheWrap(t *testing.T) {
	s := newStream()
	feed(s, 65534, 65535, 65536)
	for sequence, want := range map[uint16]uint32{1: 1, 65535: 0, 200: 1} {
		if got := s.Rollover(sequence); got != want {
			t.Errorf("the rollover of %d is %d, want %d", sequence, got, want)
		}
	}
}

func TestReportIsOfTheIntervalAndInTotal(t *testing.T) {
	s := newStream()
	feed(s, 1, 2, 3, 4)
	if r := s.Report(); r.FractionLost != 0 || r.CumulativeLost != 0 || r.Highest != 4 {
		t.Errorf("%+v without loss", r)
	}
	feed(s, 6, 8)
	if r := s.Report(); r.FractionLost != 128 || r.CumulativeLost != 2 || r.Highest != 8 {
		t.Errorf("%+v after 2 of 4 were lost", r)
	}
	feed(s, 65536+9)
	if r := s.Report(); r.Highest&0xffff != 9 {
		t.Errorf("%+v", r)
	}
}

func TestANewSourceStartsAfresh(t *testing.T) {
	s := newStream()
	feed(s, 1, 2, 4)
	s.NewSource()
	feed(s, 30000, 30001)
	r := s.Report()
	if s.Lost != 0 || r.CumulativeLost != 0 || r.Highest != 30001 || s.Packets != 5 {
		t.Errorf("lost %d, report %+v, packets %d", s.Lost, r, s.Packets)
	}
}

func TestJitterIsThatOfRFC3550(t *testing.T) {
	steady := newStream()
	feed(steady, 1, 2, 3, 4, 5)
	if j := steady.JitterMs(); j > 0.001 {
		t.Errorf("a steady stream has a jitter of %f ms", j)
	}
	s := newStream()
	for i := range 2000 { // every second packet arrives 8 ms late: |D| is always 8 ms
		s.Receive(Packet{Sequence: uint16(i), Timestamp: uint32(i) * 3600, At: int64(1.7e18) + int64(i)*40*msNs + int64(i%2)*8*msNs})
	}
	if j := s.JitterMs(); math.Abs(j-8) > 0.05 {
		t.Errorf("the jitter is %f ms, want 8", j)
	}
}

func TestJitterSurvivesTheTimestampsWrap(t *testing.T) {
	s := newStream()
	start := uint32(math.MaxUint32) - 50*3600
	for i := range 200 {
		s.Receive(Packet{Sequence: uint16(i), Timestamp: start + uint32(i)*3600, At: int64(1.7e18) + int64(i)*40*msNs})
	}
	if j := s.JitterMs(); j > 0.01 {
		t.Errorf("the jitter is %f ms", j)
	}
}

func TestRetransmittedPacketsDoNotCountAsJitter(t *testing.T) {
	s := newStream()
	for _, p := range []struct{ sequence, ms int }{{1, 40}, {2, 80}, {4, 160}, {3, 240}, {5, 200}} {
		s.Receive(Packet{Sequence: uint16(p.sequence), Timestamp: uint32(p.sequence) * 3600, At: int64(p.ms) * msNs})
	}
	if j := s.JitterMs(); j > 0.001 {
		t.Errorf("the jitter is %f ms", j)
	}
}

func BenchmarkReceiveInOrder(b *testing.B) {
	s := newStream()
	b.ReportAllocs()
	for i := range b.N {
		s.Receive(Packet{Sequence: uint16(i), Timestamp: uint32(i) * 3600, Marker: true, StartsFrame: true, Keyframe: true, Bytes: 300, At: int64(i) * 40 * msNs})
	}
}
