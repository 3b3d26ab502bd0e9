package feedback

import (
	"math/rand/v2"
	"testing"

	"github.com/pion/interceptor/pkg/twcc"
	"github.com/pion/rtcp"
)

// reported is what a sender reads: arrival in units of 250 us by sequence number; a packet reported as missing has
// none.
type reported struct {
	arrivals map[uint16]int64
	missing  map[uint16]bool
	packets  int
}

func (r *reported) read(t *testing.T, data []byte) {
	t.Helper()
	packets, err := rtcp.Unmarshal(data)
	if err != nil {
		t.Fatalf("%v of %x", err, data)
	}
	for _, packet := range packets {
		feedback, isFeedback := packet.(*rtcp.TransportLayerCC)
		if !isFeedback {
			t.Fatalf("%T", packet)
		}
		r.add(t, feedback)
	}
}

func (r *reported) add(t *testing.T, feedback *rtcp.TransportLayerCC) {
	t.Helper()
	r.packets++
	var symbols []uint16
	for _, chunk := range feedback.PacketChunks {
		switch c := chunk.(type) {
		case *rtcp.RunLengthChunk:
			for range c.RunLength {
				symbols = append(symbols, c.PacketStatusSymbol)
			}
		case *rtcp.StatusVectorChunk:
			symbols = append(symbols, c.SymbolList...)
		}
	}
	at, delta := int64(feedback.ReferenceTime)*256, 0
	for i := range feedback.PacketStatusCount {
		sequence := feedback.BaseSequenceNumber + i
		if symbols[i] == rtcp.TypeTCCPacketNotReceived {
			if _, known := r.arrivals[sequence]; !known {
				r.missing[sequence] = true
			}
			continue
		}
		at += feedback.RecvDeltas[delta].Delta / 250
		delta++
		if before, known := r.arrivals[sequence]; known && before != at {
			t.Errorf("packet %d arrived at %d, and is reported again as %d", sequence, before, at)
		}
		r.arrivals[sequence] = at
		delete(r.missing, sequence)
	}
	if delta != len(feedback.RecvDeltas) {
		t.Errorf("%d deltas for %d packets", len(feedback.RecvDeltas), delta)
	}
}

func newReported() *reported {
	return &reported{arrivals: map[uint16]int64{}, missing: map[uint16]bool{}}
}

const wrap = 1 << 32 // of ticks: reference times are modulo 2^24 of 64 ms

func TestFeedbackReportsEachArrival(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		name       string
		loss       float64
		gapUs      int64 // between packets, in the mean
		shuffle    float64
		everyCount int
	}{
		{"a calm stream", 0, 16_000, 0, 6},
		{"a busy one, sent when it is full", 0, 1_000, 0, 1 << 30},
		{"loss", 0.1, 16_000, 0, 6},
		{"much loss", 0.7, 5_000, 0, 20},
		{"pauses that need large deltas", 0.2, 150_000, 0, 9},
		{"another order", 0.02, 8_000, 0.2, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			var a Arrivals
			sender := newReported()
			want := map[uint16]int64{}
			now := int64(1_795_170_000_000_000_000)
			first := uint16(65_400) // wraps soon
			var late []uint16
			receive := func(sequence uint16) {
				full := a.Receive(sequence, now)
				want[sequence] = now / tickNs % wrap
				if full || len(want)%test.everyCount == 0 {
					for a.Pending() {
						sender.read(t, a.Append(nil, 1, 2))
					}
				}
			}
			highest := first
			for i := range uint16(5_000) {
				now += random.Int64N(2*test.gapUs) * 1000
				sequence := first + i
				switch {
				case i > 0 && random.Float64() < test.loss:
					continue
				case i > 0 && random.Float64() < test.shuffle:
					late = append(late, sequence)
					continue
				}
				receive(sequence)
				highest = sequence
				if len(late) > 5 {
					for _, sequence := range late {
						receive(sequence)
					}
					late = nil
				}
			}
			for a.Pending() {
				sender.read(t, a.Append(nil, 1, 2))
			}
			for sequence, at := range want {
				if got, known := sender.arrivals[sequence]; !known || got != at {
					t.Fatalf("packet %d is reported as %d (%t), it arrived at %d", sequence, got, known, at)
				}
			}
			for i := first; i != highest; i++ {
				if _, arrived := want[i]; !arrived && !sender.missing[i] {
					t.Fatalf("packet %d did not arrive, and is not reported as missing", i)
				}
			}
			if len(sender.arrivals) != len(want) {
				t.Errorf("%d packets are reported, %d arrived", len(sender.arrivals), len(want))
			}
		})
	}
}

// A library's receiver reports the same about the same packets.
func TestFeedbackEqualsALibrarys(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var a Arrivals
	library := twcc.NewRecorder(1)
	ours, theirs := newReported(), newReported()
	now := int64(64_000_000_000)
	for i := range uint16(3_000) {
		now += random.Int64N(30_000) * 1000 / tickNs * tickNs // on the grid of 250 us: the library rounds differently
		if random.Float64() < 0.1 {
			continue
		}
		a.Receive(i, now)
		library.Record(2, i, now/1000)
		if i%7 == 0 {
			ours.read(t, a.Append(nil, 1, 2))
			for _, packet := range library.BuildFeedbackPacket() {
				theirs.add(t, packet.(*rtcp.TransportLayerCC))
			}
		}
	}
	if len(theirs.arrivals) < 1000 {
		t.Fatalf("the library reported %d packets", len(theirs.arrivals))
	}
	for sequence, at := range theirs.arrivals {
		if got, known := ours.arrivals[sequence]; !known || got != at {
			t.Errorf("packet %d is reported as %d (%t), by a library as %d", sequence, got, known, at)
		}
	}
	for sequence := range theirs.missing {
		if !ours.missing[sequence] {
			t.Errorf("packet %d is missing only for the library", sequence)
		}
	}
}

func TestFeedbackAfterARestartOfTheSender(t *testing.T) {
	var a Arrivals
	sender := newReported()
	for i := range uint16(10) {
		a.Receive(i, int64(i)*20e6)
	}
	sender.read(t, a.Append(nil, 1, 2))
	for i := range uint16(10) {
		a.Receive(30_000+i, 1e9+int64(i)*20e6)
	}
	sender.read(t, a.Append(nil, 1, 2))
	if len(sender.arrivals) != 20 || len(sender.missing) != 0 {
		t.Errorf("%d arrivals, %d missing", len(sender.arrivals), len(sender.missing))
	}
	if a.Receive(30_005, 2e9); a.Pending() {
		t.Error("a duplicate is reported again")
	}
	if data := a.Append(nil, 1, 2); len(data) != 0 {
		t.Errorf("%x about nothing", data)
	}
}

func TestFeedbackAcrossAPauseIsInTwoPackets(t *testing.T) {
	var a Arrivals
	sender := newReported()
	a.Receive(1, 1e9)
	a.Receive(2, 11e9)
	sender.read(t, a.Append(nil, 1, 2))
	if !a.Pending() {
		t.Fatal("a delta of 10 s was written")
	}
	sender.read(t, a.Append(nil, 1, 2))
	if sender.arrivals[2]-sender.arrivals[1] != 40_000 || sender.packets != 2 {
		t.Errorf("%v", sender.arrivals)
	}
}

func TestFeedbackAllocatesNothing(t *testing.T) {
	var a Arrivals
	buffer := make([]byte, 0, 1024)
	sequence, now := uint16(0), int64(1e9)
	if allocations := testing.AllocsPerRun(1000, func() {
		for range 6 {
			sequence++
			now += 16e6
			a.Receive(sequence, now)
		}
		buffer = a.Append(buffer[:0], 1, 2)
	}); allocations != 0 {
		t.Errorf("%v allocations per feedback", allocations)
	}
}

// FuzzArrivals passes packets in any order and at any time; a library must be able to parse the feedback.
func FuzzArrivals(f *testing.F) {
	f.Add([]byte{0, 1, 10, 0, 2, 10, 0, 9, 250, 0, 3, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Arrivals
		now := int64(1e18)
		for ; len(data) >= 3; data = data[3:] {
			now += int64(int8(data[2])) * 97e6
			if a.Receive(uint16(data[0])<<8|uint16(data[1]), now) {
				newReported().read(t, a.Append(nil, 1, 2))
			}
		}
		for rounds := 0; a.Pending(); rounds++ {
			if rounds > arrivalRing {
				t.Fatal("Append never ends")
			}
			newReported().read(t, a.Append(nil, 1, 2))
		}
	})
}

func BenchmarkFeedback(b *testing.B) {
	var a Arrivals
	buffer := make([]byte, 0, 1024)
	b.ReportAllocs()
	for i := range b.N {
		a.Receive(uint16(i), int64(i)*16e6)
		if i%6 == 5 {
			buffer = a.Append(buffer[:0], 1, 2)
		}
	}
}
