package control

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
)

func sequences(t *testing.T, batch [][]byte) []uint64 {
	t.Helper()
	var list []uint64
	for _, encoded := range batch {
		var record protocol.AgentRecord
		if err := json.Unmarshal(encoded, &record); err != nil {
			t.Fatal(err)
		}
		list = append(list, record.Sequence)
	}
	return list
}

func TestRecordsKeepTheLatestAndReportTheSpan(t *testing.T) {
	records := NewRecords(5, time.Now)
	if oldest, latest := records.Span(); oldest != 1 || latest != 0 {
		t.Errorf("empty: %d to %d, want 1 to 0", oldest, latest)
	}
	for range 12 {
		records.Event(protocol.AgentEvent{Name: "warning", Message: "x"})
	}
	oldest, latest := records.Span()
	if oldest != 8 || latest != 12 {
		t.Errorf("kept %d to %d, want 8 to 12", oldest, latest)
	}
	for _, test := range []struct {
		cursor      uint64
		limit       int
		first, last uint64
		count       int
	}{{0, 100, 8, 12, 5}, {9, 100, 10, 12, 3}, {9, 2, 10, 11, 2}, {12, 100, 0, 12, 0}} {
		batch, next, _ := records.after(test.cursor, test.limit)
		got := sequences(t, batch)
		if len(got) != test.count || next != test.last || len(got) > 0 && got[0] != test.first {
			t.Errorf("after %d, at most %d: %v and next %d", test.cursor, test.limit, got, next)
		}
	}
}

func TestAnUnencodableRecordIsReportedWithoutASequenceGap(t *testing.T) {
	records := NewRecords(5, time.Now)
	records.Sample(map[string]float64{"cpuPercent": math.NaN()})
	batch, _, _ := records.after(0, 1)
	if len(batch) != 1 || !strings.Contains(string(batch[0]), `"warning"`) || !strings.Contains(string(batch[0]), `"sequence":1`) {
		t.Errorf("recorded %s", batch)
	}
}

func TestRecordsWakeWaiters(t *testing.T) {
	records := NewRecords(5, time.Now)
	_, _, changed := records.after(0, 1)
	select {
	case <-changed:
		t.Fatal("woken without a record")
	default:
	}
	records.Event(protocol.AgentEvent{Name: "warning"})
	<-changed
}
