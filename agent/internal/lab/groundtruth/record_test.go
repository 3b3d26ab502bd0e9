package groundtruth

import (
	"math"
	"testing"
	"time"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

const (
	ms      = int64(time.Millisecond)
	frameMs = 40
)

// video is packet i of a stream of two packets a frame; the first frame is a keyframe.
func video(i int) Packet {
	return Packet{Kind: media.Video, Position: uint64(i), Timestamp: 1_000_000 + uint32(i/2)*3600, Marker: i%2 == 1, Keyframe: i == 0}
}

func at(i int) int64 { return int64(i/2) * frameMs * ms }

func near(a, b float64) bool { return math.Abs(a-b) < 0.01 }

func TestAPerfectPath(t *testing.T) {
	l := &Counter{}
	for i := range 500 {
		l.Delivered(video(i), at(i))
		l.Delivered(Packet{Kind: media.Audio, Position: uint64(i)}, at(i))
	}
	f := l.Figures(at(500))
	if f.Video != (protocol.LabPackets{Sent: 500}) || f.Audio != (protocol.LabPackets{Sent: 500}) ||
		f.FramesComplete != 250 || f.FramesBroken != 0 || f.Stalls != 0 {
		t.Errorf("%+v", f)
	}
	if !near(f.FPS, 25) || !near(f.JitterMs, 0) || !near(f.JitterPerFrameMs, 0) ||
		f.AddedDelayMs != (protocol.LabDelay{}) {
		t.Errorf("%+v", f)
	}
}

func TestALostPacketIsDroppedAfterASecondUnlessItIsRepaired(t *testing.T) {
	l := &Counter{}
	for i := range 10 {
		l.Delivered(video(i), at(i))
	}
	for _, i := range []int{10, 12} {
		l.Sent(video(i), at(i))
		l.Lost(uint64(i), at(i), true)
		l.Delivered(video(i+1), at(i+1))
	}
	if f := l.Figures(at(14)); f.Video.Pending != 2 || f.Video.Dropped != 0 || f.FramesComplete != 5 {
		t.Errorf("while it may be repaired: %+v", f)
	}
	l.ArrivedAsRepair(video(12), at(20))
	l.ArrivedAsRepair(video(12), at(21)) // a duplicate changes nothing
	l.ArrivedAsRepair(video(3), at(21))  // it was not missing
	if f := l.Figures(at(20)); f.Video.Repaired != 1 || f.FramesComplete != 5 {
		t.Errorf("the frame after the gap waits for it: %+v", f)
	}
	f := l.Figures(at(10) + int64(time.Second))
	if f.Video != (protocol.LabPackets{Sent: 14, Dropped: 1, Repaired: 1}) || f.FramesComplete != 6 ||
		f.FramesBroken != 1 {
		t.Errorf("after a second: %+v", f)
	}
}

func TestAnUnrepairablePacketIsDroppedAtOnce(t *testing.T) {
	l := &Counter{}
	l.Delivered(video(0), at(0))
	l.Sent(video(1), at(1))
	l.Lost(1, at(1), false)
	l.Sent(Packet{Kind: media.Audio, Position: 2}, at(1))
	l.Lost(2, at(1), false)
	if f := l.Figures(at(1)); f.Video != (protocol.LabPackets{Sent: 2, Dropped: 1}) ||
		f.Audio != (protocol.LabPackets{Sent: 1, Dropped: 1}) {
		t.Errorf("%+v", f)
	}
}

func TestFramesCountFromTheFirstCompleteKeyframe(t *testing.T) {
	l := &Counter{}
	l.Sent(video(0), at(0))
	l.Lost(0, at(0), true)
	for i := 1; i < 100; i++ {
		l.Delivered(video(i), at(i))
	}
	key := video(100)
	key.Keyframe = true
	l.Delivered(key, at(100))
	l.Delivered(video(101), at(101))
	if f := l.Figures(at(102)); f.FramesComplete != 1 || f.FramesBroken != 0 || f.Video.Dropped != 1 {
		t.Errorf("%+v", f)
	}
}

func TestAStallIsHalfASecondWithoutACompleteFrame(t *testing.T) {
	for gap, stalls := range map[int64]uint64{499: 0, 500: 1, 2000: 1} {
		l := &Counter{}
		shift := int64(0)
		for i := range 100 {
			if i == 50 {
				shift = (gap - frameMs) * ms
			}
			l.Delivered(video(i), at(i)+shift)
		}
		f := l.Figures(at(100) + shift)
		if f.Stalls != stalls || f.Stalls == 1 && !near(f.StalledMs, float64(gap)) || f.FramesComplete != 50 {
			t.Errorf("a gap of %d ms: %+v", gap, f)
		}
	}
}

func TestJitterIsRFC3550s(t *testing.T) {
	l := &Counter{}
	for i := range 4000 {
		late := int64(i/2%2) * 8 * ms // every second frame arrives 8 ms late: the first packets differ by 8, the second ones by 0
		l.Sent(video(i), at(i))
		l.Arrived(video(i), at(i), at(i)+late)
	}
	f := l.Figures(at(4000))
	if math.Abs(f.JitterMs-4) > 0.2 || math.Abs(f.JitterPerFrameMs-8) > 0.01 || !near(f.AddedDelayMs.Mean, 4) || !near(f.AddedDelayMs.P95, 8.5) {
		t.Errorf("%+v", f)
	}
}

func TestTimestampWrapIsSeamless(t *testing.T) {
	j, maximum := jitter{}, 0.0
	for i := range 3_000_000 { // 16 h
		j.add(video(i).Timestamp+0xfff00000, at(i), media.Video)
		maximum = max(maximum, j.ms(media.Video))
	}
	if maximum > 0.01 {
		t.Errorf("up to %.3f ms of jitter", maximum)
	}
}

func TestAReorderedPacketCountsOnceAndNotAsJitter(t *testing.T) {
	l := &Counter{}
	for i := range 100 {
		if i == 50 {
			l.Sent(video(i), at(i))
		} else {
			l.Delivered(video(i), at(i))
		}
	}
	l.ArrivedAsRepair(video(50), at(55)) // requested, though it was only delayed
	l.Arrived(video(50), at(50), at(60))
	f := l.Figures(at(100))
	if f.Video != (protocol.LabPackets{Sent: 100, Reordered: 1}) || f.FramesComplete != 50 || f.JitterMs > 0.01 {
		t.Errorf("%+v", f)
	}
}

func TestTheDelaysPercentileInBothHalvesOfTheHistogram(t *testing.T) {
	for _, c := range []struct{ delay, p95, within float64 }{{0.3, 0.5, 0.5}, {20, 20, 0.6}, {300, 300, 16}, {2000, 2000, 16}, {60_000, 4350, 16}} {
		d := &delays{}
		for range 90 {
			d.add(0)
		}
		for range 10 {
			d.add(int64(c.delay * float64(ms)))
		}
		if f := d.figures(); math.Abs(f.P95-c.p95) > c.within || math.Abs(f.Mean-c.delay/10) > 0.01*c.delay {
			t.Errorf("10 %% of the packets %.1f ms late: %+v", c.delay, f)
		}
	}
}

func BenchmarkDelivered(b *testing.B) {
	l := &Counter{}
	b.ReportAllocs()
	for i := range b.N {
		l.Delivered(video(i), at(i))
	}
}
