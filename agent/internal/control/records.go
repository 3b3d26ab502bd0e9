package control

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"fullhouse/agent/internal/protocol"
)

// KeptRecords is how many records are kept for a replay: two hours of samples.
const KeptRecords = 7200

// Records numbers samples and events from 1 and keeps the latest ones. Each connection reads with its own cursor.
// Replay and live reading are the same, so no record is lost or repeated between them.
type Records struct {
	now  func() time.Time
	keep uint64

	mutex      sync.Mutex
	compressed []compressedBlock // older records, in order
	recent     [][]byte          // newer ones, each encoded once for all connections
	latest     uint64
	lastBlock  lastBlock
	changed    chan struct{} // closed and replaced at each append
}

// NewRecords keeps the latest `keep` records, stamped with now.
func NewRecords(keep int, now func() time.Time) *Records {
	return &Records{now: now, keep: uint64(keep), changed: make(chan struct{})}
}

// Event records an event.
func (r *Records) Event(event protocol.AgentEvent) {
	r.append("event", nil, &event)
}

// Sample records a role's sample of one second.
func (r *Records) Sample(sample any) {
	r.append("sample", sample, nil)
}

func (r *Records) append(kind string, sample any, event *protocol.AgentEvent) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	record := protocol.AgentRecord{Type: "record", Sequence: r.latest + 1, TimeMs: r.now().UnixMilli(), Kind: kind,
		Sample: sample, Event: event}
	encoded, err := json.Marshal(record)
	if err != nil {
		// Only a NaN or an infinity in a figure gets here. It is recorded as a warning.
		record.Kind, record.Sample = "event", nil
		record.Event = &protocol.AgentEvent{Name: protocol.EventWarning,
			Message: fmt.Sprintf("Encoding a %s failed: %v.", kind, err)}
		encoded, _ = json.Marshal(record)
	}
	r.latest++
	r.recent = append(r.recent, encoded)
	r.compressOldest()
	close(r.changed)
	r.changed = make(chan struct{})
}

// Span returns the kept sequences; without any, oldest is 1 and latest 0.
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

// after returns at most limit encoded records after sequence cursor, the new cursor, and a channel that is closed when
// more are available. Records that are no longer kept are skipped.
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
