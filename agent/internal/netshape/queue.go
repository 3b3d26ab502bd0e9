package netshape

import "time"

// readerTick is how far apart in time the packets of two viewers may be handed over in the wrong order: sockets are read
// one after the other, at a tick of this length.
const readerTick = int64(5 * time.Millisecond)

// Queue is the bottleneck of one direction, and the packets that wait for it. Several viewers may share it. The zero
// value is empty, and of one viewer.
type Queue struct {
	// Shared allows for packets that come in the wrong order by up to readerTick, as those of several viewers do: a pause
	// of the bottleneck of up to that length is made up for.
	Shared bool

	free    int64   // when the bottleneck has sent all that it has accepted
	waiting []int64 // when each packet starts to be sent, oldest first; kept only with a bound on packets
	head    int     // of waiting
}

// send is when a packet has passed the bottleneck, and how long it waited; false if the queue is full.
func (q *Queue) send(d *Direction, now int64, bytes int) (sent, waitNs int64, fits bool) {
	if d.BitsPerSecond <= 0 {
		return now, 0, true
	}
	start := max(q.free, now)
	waitNs = start - now
	if waitNs > d.QueueNs || d.QueuePackets > 0 && q.length(now) >= d.QueuePackets {
		return 0, 0, false
	}
	takes := int64(float64(bytes) * 8 * float64(time.Second) / d.BitsPerSecond)
	if q.Shared {
		q.free = max(q.free, now-readerTick) + takes
	} else {
		q.free = start + takes
	}
	if d.QueuePackets > 0 && waitNs > 0 {
		q.waiting = append(q.waiting, start)
	}
	return max(q.free, now+takes), waitNs, true
}

// Free is when the bottleneck has sent all that it has accepted.
func (q *Queue) Free() int64 { return q.free }

// length is how many packets wait.
func (q *Queue) length(now int64) int {
	for q.head < len(q.waiting) && q.waiting[q.head] <= now {
		q.head++
	}
	if q.head == len(q.waiting) {
		q.waiting, q.head = q.waiting[:0], 0
	} else if q.head > 64 && q.head > len(q.waiting)/2 {
		q.waiting = append(q.waiting[:0], q.waiting[q.head:]...)
		q.head = 0
	}
	return len(q.waiting) - q.head
}
