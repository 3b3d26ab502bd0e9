package process

import (
	"runtime"
	"testing"
	"time"
)

func TestSampleIsOfTheInterval(t *testing.T) {
	m := NewMeter()
	for startTime := time.Now(); time.Since(startTime) < 50*time.Millisecond; { // uses CPU
	}
	runtime.GC()
	busy := m.Sample()
	if busy.CPUPercent == nil || *busy.CPUPercent < 1 {
		t.Errorf("a busy process used %v %% of a core", busy.CPUPercent)
	}
	if busy.GCPauses < 1 || busy.GCPauseMaxMs == nil || *busy.GCPauseMaxMs <= 0 {
		t.Errorf("%d collections, longest stop %v ms", busy.GCPauses, busy.GCPauseMaxMs)
	}
	if busy.Goroutines < 1 {
		t.Errorf("%d goroutines", busy.Goroutines)
	}
	if runtime.GOOS == "linux" && (busy.MemoryBytes < 1<<20 || busy.OpenFiles < 3) {
		t.Errorf("%d bytes, %d open files", busy.MemoryBytes, busy.OpenFiles)
	}
	if quiet := m.Sample(); quiet.GCPauses > 0 && quiet.GCPauseMaxMs == nil {
		t.Errorf("%d collections without a pause", quiet.GCPauses)
	}
}

func TestOpenFilesAreRaisedOnce(t *testing.T) {
	first, err := RaiseOpenFiles()
	if err != nil {
		t.Fatal(err)
	}
	if second, err := RaiseOpenFiles(); err != nil || second != first {
		t.Errorf("%d, then %d, %v", first, second, err)
	}
}
