package feedback

const (
	// requestPause is how long a gap may be mere reordering, which mends itself.
	requestPause = 10e6
	// requestInterval is how long a request waits for its packet where the round trip is not longer: a browser that only receives does
	// not know its round trip, and takes 100 ms for it.
	requestInterval = 100e6
	// mostTries is after how many requests a packet is no longer asked for.
	mostTries = 10
)

// request is a packet that is missing.
type request struct {
	sequence uint16
	tries    uint8
	dueAt    int64
}

// Requests remember when each missing packet was asked for. The zero value has none, and costs nothing until something is missing.
type Requests struct{ list []request }

// Due appends to list which of the missing packets are to be asked for now, and forgets those that are no longer missing. Both lists are
// in order of sequence.
func (r *Requests) Due(list, missing []uint16, now, roundTripNs int64) []uint16 {
	kept := r.list
	r.list = r.list[:0:0]
	for _, sequence := range missing {
		for len(kept) > 0 && int16(kept[0].sequence-sequence) < 0 {
			kept = kept[1:]
		}
		one := request{sequence: sequence, dueAt: now + requestPause}
		if len(kept) > 0 && kept[0].sequence == sequence {
			one = kept[0]
		}
		if now >= one.dueAt && one.tries < mostTries {
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
