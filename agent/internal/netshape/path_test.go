package netshape

import (
	"math"
	"testing"
	"time"
)

const (
	ms     = int64(time.Millisecond)
	second = int64(time.Second)
	start  = 1_000 * second
)

// near is within a share of what was asked.
func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s is %.5g, want %.5g", what, got, want)
	}
}

// send sends packets of a size at even times, and counts what happens.
func send(d Direction, count int, every int64, bytes int) (outcomes []Outcome, counts *Counts) {
	path, queue := NewPath(7, 3), Queue{}
	counts = &Counts{}
	for i := range count {
		o := path.Next(&d, &queue, start+int64(i)*every, bytes)
		counts.Add(bytes, o)
		outcomes = append(outcomes, o)
	}
	return outcomes, counts
}

func TestAPerfectNetworkChangesNothing(t *testing.T) {
	outcomes, counts := send(Direction{}, 1000, ms, 1200)
	for i, o := range outcomes {
		if (o != Outcome{At: start + int64(i)*ms}) {
			t.Fatalf("packet %d: %+v", i, o)
		}
	}
	if counts.Bytes != 1200*1000 {
		t.Errorf("%d bytes", counts.Bytes)
	}
}

func TestRandomLossIsAsAsked(t *testing.T) {
	for _, loss := range []float64{0.01, 0.05, 0.3, 1} {
		_, counts := send(Direction{Loss: loss}, 400_000, ms, 100)
		near(t, "loss", float64(counts.Packets[RandomLoss])/400_000, loss, 0.05)
	}
}

// runsOf counts the runs of packets lost one after the other.
func runsOf(outcomes []Outcome) (runs int) {
	for i, o := range outcomes {
		if o.Rule == BurstLoss && (i == 0 || outcomes[i-1].Rule != BurstLoss) {
			runs++
		}
	}
	return runs
}

func TestBurstLossIsAsTheModelPredicts(t *testing.T) {
	for _, g := range []GilbertElliott{
		{P: 0.01, R: 0.25, H: 0, K: 1},
		{P: 0.02, R: 0.5, H: 0.5, K: 0.999},
		{P: 0.005, R: 0.1, H: 0, K: 1},
		{P: 0, R: 0, H: 0, K: 0.9},
	} {
		const packets = 500_000
		outcomes, counts := send(Direction{Burst: g}, packets, ms, 100)
		near(t, "loss", float64(counts.Packets[BurstLoss])/packets, g.Share(), 0.05)
		if g.H == 0 && g.K == 1 { // Gilbert's simple model: a run lasts as long as the bad state
			near(t, "mean run", float64(counts.Packets[BurstLoss])/float64(runsOf(outcomes)), 1/g.R, 0.05)
		}
	}
	if (GilbertElliott{}).Share() != 0 || (GilbertElliott{}).Active() {
		t.Error("without parameters the model loses packets")
	}
}

func TestABurstEndsInAPause(t *testing.T) {
	burst := GilbertElliott{P: 0.1, R: 0.1, H: 0, K: 1} // half of the packets, ten at a time
	for _, c := range []struct {
		every   int64
		meanRun float64
	}{{ms, 10}, {second, 2}} {
		outcomes, counts := send(Direction{Burst: burst}, 400_000, c.every, 100)
		near(t, "loss", float64(counts.Packets[BurstLoss])/400_000, 0.5, 0.05)
		near(t, "mean run", float64(counts.Packets[BurstLoss])/float64(runsOf(outcomes)), c.meanRun, 0.05)
	}
}

func TestTheBottleneckSendsAtItsRateAndItsQueueIsBounded(t *testing.T) {
	const rate, bytes = 1e6, 1250 // 10 ms a packet
	d := Direction{BitsPerSecond: rate, QueueNs: 200 * ms}
	outcomes, counts := send(d, 4000, 5*ms, bytes) // twice the rate, for 20 s
	near(t, "rate", float64(counts.Bytes)*8/20, rate, 0.02)
	for i, o := range outcomes {
		if o.Rule == Passed && (o.WaitNs > d.QueueNs || o.At-start-int64(i)*5*ms > d.QueueNs+10*ms) {
			t.Fatalf("packet %d waits %d ns", i, o.WaitNs)
		}
	}
	if median, maximum, known := counts.Waits(); !known || maximum > 200*time.Millisecond || median < 185*time.Millisecond {
		t.Errorf("waits of %s, max %s", median, maximum)
	}
	if _, _, known := counts.Waits(); known {
		t.Error("the waits of an interval are reported twice")
	}
	// Below its rate there is no queue.
	if _, counts := send(d, 1000, 11*ms, bytes); counts.Packets[Passed] != 1000 || counts.maximum != 0 {
		t.Errorf("%v, max wait %d", counts.Packets, counts.maximum)
	}
}

func TestAQueueIsAlsoBoundedInPackets(t *testing.T) {
	d := Direction{BitsPerSecond: 1e6, QueueNs: second, QueuePackets: 5}
	outcomes, counts := send(d, 20, 0, 1250) // all at once: one is being sent, five wait
	if counts.Packets[Passed] != 6 || counts.Packets[QueueFull] != 14 || outcomes[5].WaitNs != 50*ms {
		t.Errorf("%v", counts.Packets)
	}
	queue, path := Queue{}, NewPath(1, 1)
	passed := 0
	for i := range 3000 { // twice the rate: the list of waiting packets must not grow
		if path.Next(&d, &queue, start+int64(i)*5*ms, 1250).Rule == Passed {
			passed++
		}
	}
	near(t, "packets", float64(passed), 1500, 0.02)
	if len(queue.waiting) > 256 {
		t.Errorf("%d waiting packets are remembered", len(queue.waiting))
	}
}

// Two viewers share a bottleneck: together they get its rate, and one that sends little still loses to the other's
// queue.
func TestAQueueIsSharedByItsViewers(t *testing.T) {
	d := Direction{BitsPerSecond: 1e6, QueueNs: 100 * ms}
	queue := Queue{Shared: true}
	paths := []Path{NewPath(1, 0), NewPath(1, 1)}
	var counts [2]Counts
	for i := range 20_000 { // 20 s in ticks of 5 ms, each viewer's packets of a tick together, as a reader hands them over
		viewer, tick := i/5%2, int64(i/10)
		at := start + tick*5*ms + int64(i%5)*ms
		bytes := 250 // 2 Mbit/s
		if viewer == 1 {
			bytes = 50
		}
		counts[viewer].Add(bytes, paths[viewer].Next(&d, &queue, at, bytes))
	}
	near(t, "rate", float64(counts[0].Bytes+counts[1].Bytes)*8/10, 1e6, 0.02)
	if _, maximum, _ := counts[1].Waits(); maximum < 90*time.Millisecond {
		t.Errorf("the smaller stream waits %s", maximum)
	}
	if lost := counts[1].Packets[QueueFull]; lost < 1000 {
		t.Errorf("the smaller stream lost %d packets", lost)
	}
	// At 90 % of the rate nothing is lost, though the packets are out of order by up to a tick.
	queue, counts = Queue{Shared: true}, [2]Counts{}
	for i := range 20_000 {
		at := start + int64(i/10)*5*ms + int64(i%5)*ms
		counts[i/5%2].Add(56, paths[i/5%2].Next(&d, &queue, at, 56))
	}
	if lost := counts[0].Packets[QueueFull] + counts[1].Packets[QueueFull]; lost > 0 {
		t.Errorf("%d packets lost below the rate", lost)
	}
}

func TestJitterKeepsTheMeanDelayAndTheOrder(t *testing.T) {
	for _, jitter := range []int64{5 * ms, 20 * ms, 50 * ms} {
		d := Direction{DelayNs: 60 * ms, JitterNs: jitter}
		outcomes, _ := send(d, 400_000, ms/2, 1200)
		sum, squares, minimum, maximum := 0.0, 0.0, math.Inf(1), 0.0
		for i, o := range outcomes {
			delay := float64(o.At - start - int64(i)*ms/2)
			sum, squares, minimum, maximum = sum+delay, squares+delay*delay, min(minimum, delay), max(maximum, delay)
			if i > 0 && o.At < outcomes[i-1].At {
				t.Fatalf("packet %d overtakes", i)
			}
		}
		mean := sum / float64(len(outcomes))
		near(t, "mean delay", mean, float64(d.DelayNs), 0.01)
		near(t, "minimum", minimum, float64(d.DelayNs-jitter), 0.02+0.1*float64(jitter)/float64(d.DelayNs-jitter))
		near(t, "maximum", maximum, float64(d.DelayNs+jitter), 0.02)
		// Uniform draws with lines between them: their variance is 2/3 of that of the draws.
		near(t, "deviation", math.Sqrt(squares/float64(len(outcomes))-mean*mean), float64(jitter)*math.Sqrt(2.0/9), 0.05)
	}
}

func TestTheSameSeedRepeatsTheSameOutcomes(t *testing.T) {
	d := Direction{BitsPerSecond: 1e6, QueueNs: 100 * ms, DelayNs: 10 * ms, JitterNs: 5 * ms, Loss: 0.05,
		Burst: GilbertElliott{P: 0.01, R: 0.3, H: 0.1, K: 1}}
	a, _ := send(d, 5000, ms, 100)
	b, _ := send(d, 5000, ms, 100)
	other, same, queue := NewPath(7, 4), 0, Queue{}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("packet %d: %+v, then %+v", i, a[i], b[i])
		}
		if other.Next(&d, &queue, start+int64(i)*ms, 100) == a[i] {
			same++
		}
	}
	if same > 1000 {
		t.Errorf("%d outcomes of 5000 are the same for another viewer", same)
	}
}

func TestAScheduleIsAFunctionOfTime(t *testing.T) {
	at := func(after time.Duration, delay int64) Step {
		return Step{After: after, Network: Network{Down: Direction{DelayNs: delay}}}
	}
	schedule := Schedule{at(0, 1), at(10*time.Second, 2), at(20*time.Second, 3)}
	for elapsed, want := range map[time.Duration]int64{-time.Second: 1, 0: 1, 10*time.Second - 1: 1, 10 * time.Second: 2, 19 * time.Second: 2, time.Hour: 3} {
		if got := schedule.At(elapsed).Down.DelayNs; got != want {
			t.Errorf("after %s: step %d, want %d", elapsed, got, want)
		}
	}
}

func TestManyWaitsAreSampled(t *testing.T) {
	var counts Counts
	for i := range 100_000 {
		counts.Add(1, Outcome{WaitNs: int64(i)})
	}
	median, maximum, known := counts.Waits()
	if !known || maximum != 99_999 || median < 45_000 || median > 55_000 || cap(counts.waits) > 2*maxWaits {
		t.Errorf("median %d, maximum %d of 100,000", median, maximum)
	}
}
