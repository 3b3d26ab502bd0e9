package audience

import (
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
)

// maxMarks of one viewer are kept, the first ones; a viewer that changes more often is bad in the same way all the
// time.
const maxMarks = 24

// markKind is what happened to a connected viewer.
type markKind uint8

const (
	markDegraded markKind = iota
	markRecovered
	markStall
)

// mark is something that happened to a viewer; times in Unix nanoseconds.
type mark struct {
	at, lasted int64
	kind       markKind
	brokenRule brokenRule
}

// brokenRule is the rule that a degraded viewer broke, in one byte.
type brokenRule uint8

var reasons = [...]protocol.DegradedCause{"", protocol.DegradedCauseStall, protocol.DegradedCauseFrameRate,
	protocol.DegradedCauseLoss}

func ruleOf(reason protocol.DegradedCause) brokenRule {
	for i, known := range reasons {
		if known == reason {
			return brokenRule(i)
		}
	}
	return 0
}

// history is what happened to a viewer since its first packet. It allocates nothing until something does.
type history struct {
	marks         []mark
	missed        uint32 // marks beyond maxMarks
	degradedSince int64  // 0 while not degraded
	degradedNs    int64  // of the periods that have ended
}

func (h *history) add(m mark) {
	if len(h.marks) >= maxMarks {
		h.missed++
		return
	}
	h.marks = append(h.marks, m)
}

// judged takes the second's verdict on a connected viewer: the rule it breaks, or none.
func (h *history) judged(reason protocol.DegradedCause, now int64) {
	switch isDegraded := reason != ""; {
	case isDegraded && h.degradedSince == 0:
		h.degradedSince = now
		h.add(mark{at: now, kind: markDegraded, brokenRule: ruleOf(reason)})
	case !isDegraded && h.degradedSince != 0:
		h.add(mark{at: now, kind: markRecovered, lasted: now - h.degradedSince})
		h.end(now)
	}
}

// end closes a degraded period; a viewer that disconnects does not recover.
func (h *history) end(now int64) {
	if h.degradedSince != 0 {
		h.degradedNs += now - h.degradedSince
		h.degradedSince = 0
	}
}

// stalled takes how many stalls started in a second, and the longest gap that ended in it or is ongoing.
func (h *history) stalled(newStalls uint64, longest, now int64) {
	switch {
	case longest < stats.StallNs:
	case newStalls > 0:
		h.add(mark{at: now - longest, lasted: longest, kind: markStall})
	default:
		for i := len(h.marks) - 1; i >= 0 && h.missed == 0; i-- {
			if h.marks[i].kind == markStall { // ongoing, or just ended
				h.marks[i].lasted = max(h.marks[i].lasted, longest)
				return
			}
		}
	}
}

// degradedFor is the total time degraded until now.
func (h *history) degradedFor(now int64) int64 {
	if h.degradedSince == 0 {
		return h.degradedNs
	}
	return h.degradedNs + now - h.degradedSince
}

// end marks that the viewer fails or disconnects. The caller holds the job's mutex.
func (m *viewerState) end(now int64) {
	m.disconnectingAt = now
	m.history.end(now)
}
