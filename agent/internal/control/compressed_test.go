package control

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
)

func TestOldRecordsAreReplayedUnchanged(t *testing.T) {
	const keep, made = 1000, 2500
	records := NewRecords(keep, time.Now)
	message := func(sequence uint64) string { return fmt.Sprintf("a line\nand \"another\" %d", sequence) }
	for sequence := uint64(1); sequence <= made; sequence++ {
		records.Event(protocol.AgentEvent{Name: "warning", Message: message(sequence)})
		if sequence%500 != 0 {
			continue
		}
		// A slow reader, from any position, gets every kept record, once and in order.
		oldest, latest := records.Span()
		for _, cursor := range []uint64{0, oldest, latest - 200, latest - 3} {
			want := max(cursor+1, oldest)
			for next := cursor; next < latest; {
				var batch [][]byte
				batch, next, _ = records.after(next, 37)
				for _, encoded := range batch {
					var record protocol.AgentRecord
					if err := json.Unmarshal(encoded, &record); err != nil {
						t.Fatal(err)
					}
					if record.Sequence != want || record.Event.Message != message(want) {
						t.Fatalf("after %d: record %d has %q, want %d", cursor, record.Sequence, record.Event.Message, want)
					}
					want++
				}
			}
			if want != latest+1 {
				t.Fatalf("after %d: records up to %d of %d", cursor, want-1, latest)
			}
		}
	}
	if maximum := keep/blockSize + 2; len(records.compressed) > maximum || len(records.recent) > (uncompressedBlocks+1)*blockSize {
		t.Errorf("%d blocks and %d records are held, at most %d and %d were expected", len(records.compressed), len(records.recent), maximum, (uncompressedBlocks+1)*blockSize)
	}
}
