package audience

import "fullhouse/agent/internal/stats"

// mostMarks of one viewer are kept, the first of them; a viewer that changes more often is bad in the same way all the time.
const mostMarks = 24

// markKind is what happened to a viewer that plays.
type markKind uint8

const (
	markDegraded markKind = iota
	markRecovered
	markFreeze
)

// mark is something that happened to a viewer, Unix nanoseconds.
type mark struct {
	at, lasted int64
	kind       markKind
	because    because
}

// because is the rule that a degraded viewer broke, as small as it gets.
type because uint8

var reasons = [...]string{"", stats.DegradedByFreeze, stats.DegradedByFrameRate, stats.DegradedByPacketLoss}

func becauseOf(reason string) because {
	for i, known := range reasons {
		if known == reason {
			return because(i)
		}
	}
	return 0
}

// history is what happened to a viewer since its first packet. It takes no memory of its own until something does.
type history struct {
	marks         []mark
	missed        uint32 // marks that there was no room for
	degradedSince int64  // 0 while it is not
	degradedNs    int64  // of the times that are over
}

func (h *history) add(m mark) {
	if len(h.marks) >= mostMarks {
		h.missed++
		return
	}
	h.marks = append(h.marks, m)
}

// judged takes the second's verdict on a connected viewer: the rule it breaks, or none.
func (h *history) judged(reason string, now int64) {
	switch isDegraded := reason != ""; {
	case isDegraded && h.degradedSince == 0:
		h.degradedSince = now
		h.add(mark{at: now, kind: markDegraded, because: becauseOf(reason)})
	case !isDegraded && h.degradedSince != 0:
		h.add(mark{at: now, kind: markRecovered, lasted: now - h.degradedSince})
		h.end(now)
	}
}

// end closes a time of being degraded; whoever leaves does not recover.
func (h *history) end(now int64) {
	if h.degradedSince != 0 {
		h.degradedNs += now - h.degradedSince
		h.degradedSince = 0
	}
}

// froze takes how many freezes began in a second, and the longest gap that ended in it or lasts.
func (h *history) froze(begun uint64, longest, now int64) {
	switch {
	case longest < stats.FreezeNs:
	case begun > 0:
		h.add(mark{at: now - longest, lasted: longest, kind: markFreeze})
	default:
		for i := len(h.marks) - 1; i >= 0 && h.missed == 0; i-- {
			if h.marks[i].kind == markFreeze { // the one that lasts, or has just ended
				h.marks[i].lasted = max(h.marks[i].lasted, longest)
				return
			}
		}
	}
}

// degradedFor is the whole time of being degraded until now.
func (h *history) degradedFor(now int64) int64 {
	if h.degradedSince == 0 {
		return h.degradedNs
	}
	return h.degradedNs + now - h.degradedSince
}

// end notes that the viewer fails or leaves. The caller holds the job's mutex.
func (m *member) end(now int64) {
	m.leavingAt = now
	m.history.end(now)
}
