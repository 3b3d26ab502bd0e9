package link

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// KeptRecords is how many records are kept for a replay: two hours of samples.
const KeptRecords = 7200

// Records numbers samples and events from 1 and keeps the latest of them. Each connection reads with a cursor
// of its own, so replay and live are one thing and there is no seam where one could be lost or doubled.
type Records struct {
	now  func() time.Time
	keep uint64

	mutex   sync.Mutex
	packed  []pack   // what is some time ago, in order
	recent  [][]byte // what followed, each encoded once for all connections
	latest  uint64
	opened  opened
	changed chan struct{} // closed and replaced at each append
}

// NewRecords keeps the latest `keep` records, stamped with now.
func NewRecords(keep int, now func() time.Time) *Records {
	return &Records{now: now, keep: uint64(keep), changed: make(chan struct{})}
}

// Event records something that happened.
func (r *Records) Event(event Event) {
	r.append("event", nil, &event)
}

// Sample records a role's second.
func (r *Records) Sample(sample any) {
	r.append("sample", sample, nil)
}

func (r *Records) append(kind string, sample any, event *Event) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	record := Record{Type: "record", Sequence: r.latest + 1, TimeMs: r.now().UnixMilli(), Kind: kind, Sample: sample, Event: event}
	encoded, err := json.Marshal(record)
	if err != nil {
		// Only a NaN or an infinity in a figure gets here. The record is kept as what it is: a fault, told.
		record.Kind, record.Sample = "event", nil
		record.Event = &Event{Name: "warning", Message: fmt.Sprintf("A %s could not be written: %v.", kind, err)}
		encoded, _ = json.Marshal(record)
	}
	r.latest++
	r.recent = append(r.recent, encoded)
	r.pack()
	close(r.changed)
	r.changed = make(chan struct{})
}

// Span tells the sequences that are kept; with none yet, oldest is 1 and latest 0.
func (r *Records) Span() (oldest, latest uint64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.oldest(), r.latest
}

func (r *Records) oldest() uint64 {
	if r.latest > r.keep {
		return r.latest - r.keep + 1
	}
	return 1
}

// after returns at most limit encoded records that follow sequence cursor, the new cursor, and a channel that
// is closed when there is more. Records that are no longer kept are passed over.
func (r *Records) after(cursor uint64, limit int) (batch [][]byte, next uint64, changed <-chan struct{}) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	next = max(cursor, r.oldest()-1)
	for next < r.latest && len(batch) < limit {
		next++
		batch = append(batch, r.at(next))
	}
	return batch, next, r.changed
}
