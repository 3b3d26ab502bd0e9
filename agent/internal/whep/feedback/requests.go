package feedback

const (
	// requestPause is how long a gap may be just reordering, which resolves itself.
	requestPause = 10e6
	// requestInterval is how long a request waits for its packet unless the round trip is longer: a receive-only
	// browser does not know its round trip, and assumes 100 ms.
	requestInterval = 100e6
	// maxTries is the maximum number of requests for a packet.
	maxTries = 10
)

// request is a missing packet.
type request struct {
	sequence uint16
	tries    uint8
	dueAt    int64
}

// Requests record when each missing packet was requested. The zero value is empty, and costs nothing until packets are
// missing.
type Requests struct{ list []request }

// Due appends to list which of the missing packets are to be requested now, and forgets those that are no longer
// missing. Both lists are in order of sequence.
func (r *Requests) Due(list, missing []uint16, now, roundTripNs int64) []uint16 {
	pending := r.list
	r.list = r.list[:0:0]
	for _, sequence := range missing {
		for len(pending) > 0 && int16(pending[0].sequence-sequence) < 0 {
			pending = pending[1:]
		}
		one := request{sequence: sequence, dueAt: now + requestPause}
		if len(pending) > 0 && pending[0].sequence == sequence {
			one = pending[0]
		}
		if now >= one.dueAt && one.tries < maxTries {
			one.tries++
			one.dueAt = now + max(requestInterval, roundTripNs)
			list = append(list, sequence)
		}
		r.list = append(r.list, one)
	}
	if len(r.list) == 0 {
		r.list = nil
	}
	return list
}

// IsRequested reports whether a packet was requested and had not arrived when Due was last called.
func (r *Requests) IsRequested(sequence uint16) bool {
	for i := range r.list {
		if r.list[i].sequence == sequence {
			return r.list[i].tries > 0
		}
	}
	return false
}
