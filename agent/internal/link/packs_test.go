package link

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

func TestRecordsOfLongAgoComeAsTheyWere(t *testing.T) {
	const keep, made = 1000, 2500
	records := NewRecords(keep, time.Now)
	message := func(sequence uint64) string { return fmt.Sprintf("a line\nand \"another\" %d", sequence) }
	for sequence := uint64(1); sequence <= made; sequence++ {
		records.Event(Event{Name: "warning", Message: message(sequence)})
		if sequence%500 != 0 {
			continue
		}
		// Whoever reads slowly, from anywhere, gets every record that is kept, once and in order.
		oldest, latest := records.Span()
		for _, cursor := range []uint64{0, oldest, latest - 200, latest - 3} {
			want := max(cursor+1, oldest)
			for next := cursor; next < latest; {
				var batch [][]byte
				batch, next, _ = records.after(next, 37)
				for _, encoded := range batch {
					var record Record
					if err := json.Unmarshal(encoded, &record); err != nil {
						t.Fatal(err)
					}
					if record.Sequence != want || record.Event.Message != message(want) {
						t.Fatalf("after %d: record %d says %q, want %d", cursor, record.Sequence, record.Event.Message, want)
					}
					want++
				}
			}
			if want != latest+1 {
				t.Fatalf("after %d came records up to %d of %d", cursor, want-1, latest)
			}
		}
	}
	if most := keep/packSize + 2; len(records.packed) > most || len(records.recent) > (unpackedPacks+1)*packSize {
		t.Errorf("%d packs and %d records are held, at most %d and %d were expected", len(records.packed), len(records.recent), most, (unpackedPacks+1)*packSize)
	}
}
