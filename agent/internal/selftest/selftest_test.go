package selftest

import (
	"context"
	"testing"
	"time"
)

func TestUsesAboutOneCoreForTheRequestedTime(t *testing.T) {
	result, err := Run(context.Background(), 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if result.Packets < 1000 {
		t.Errorf("%d packets in 300 ms are not a measurement", result.Packets)
	}
	if result.WallMs < 300 || result.WallMs > 3000 {
		t.Errorf("took %.0f ms, want 300", result.WallMs)
	}
	if result.CPUMs == nil {
		t.Fatal("no CPU time was measured")
	}
	if *result.CPUMs <= 0 || *result.CPUMs > 2*result.WallMs {
		t.Errorf("%.0f ms of CPU time in %.0f ms are more than one thread's", *result.CPUMs, result.WallMs)
	}
	t.Logf("%.2f us a packet", 1000**result.CPUMs/float64(result.Packets))
}

func TestTwiceTheTimeCostsTheSamePerPacket(t *testing.T) {
	perPacket := func(duration time.Duration) float64 {
		result, err := Run(context.Background(), duration)
		if err != nil || result.CPUMs == nil {
			t.Fatalf("no CPU time was measured: %v", err)
		}
		return *result.CPUMs / float64(result.Packets)
	}
	short, long := perPacket(300*time.Millisecond), perPacket(600*time.Millisecond)
	if ratio := long / short; ratio < 0.5 || ratio > 2 {
		t.Errorf("a packet cost %.2f times as much in twice the time", ratio)
	}
}

func TestEndsWhenItsContextIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	start := time.Now()
	if _, err := Run(ctx, 10*time.Second); err == nil {
		t.Error("no error after cancellation")
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it continued for %v", took)
	}
}
