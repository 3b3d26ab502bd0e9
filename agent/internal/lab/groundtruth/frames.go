package groundtruth

import "time"

// frame is one that still waits for packets.
type frame struct {
	timestamp   uint32
	outstanding int
	ended       bool // its last packet was sent
	keyframe    bool
	broken      bool
	at          int64 // when its latest packet arrived
}

// frames are counted in order: a player shows none before the one it waits for.
type frames struct {
	open     []frame
	started  bool // a complete keyframe has arrived
	complete uint64
	broken   uint64
	stalls   uint64
	stalled  int64
	firstAt  int64
	lastAt   int64
}

func (f *frames) sent(p Packet) {
	last := len(f.open) - 1
	if last < 0 || f.open[last].timestamp != p.Timestamp {
		if last >= 0 { // a publisher that sets no marker
			f.open[last].ended = true
			f.close()
		}
		f.open = append(f.open, frame{timestamp: p.Timestamp})
		last = len(f.open) - 1
	}
	of := &f.open[last]
	of.outstanding++
	of.ended = of.ended || p.Marker
	of.keyframe = of.keyframe || p.Keyframe
}

// settle records that one packet of the frame has arrived, or was lost for good.
func (f *frames) settle(timestamp uint32, at int64, arrived bool) {
	for i := range f.open {
		of := &f.open[i]
		if of.timestamp != timestamp {
			continue
		}
		of.outstanding--
		of.at = max(of.at, at)
		of.broken = of.broken || !arrived
		f.close()
		return
	}
}

// close counts the frames from the front that are complete or lost.
func (f *frames) close() {
	done := 0
	for done < len(f.open) && f.open[done].ended && f.open[done].outstanding == 0 {
		f.count(&f.open[done])
		done++
	}
	if done > 0 {
		f.open = f.open[:copy(f.open, f.open[done:])]
	}
}

func (f *frames) count(of *frame) {
	switch {
	case !f.started && (of.broken || !of.keyframe):
	case of.broken:
		f.broken++
	case !f.started:
		f.started, f.complete, f.firstAt, f.lastAt = true, 1, of.at, of.at
	default:
		if gap := of.at - f.lastAt; gap >= stall {
			f.stalls++
			f.stalled += gap
		}
		f.lastAt = max(f.lastAt, of.at)
		f.complete++
	}
}

// rate is in frames per second, 0 until a second frame.
func (f *frames) rate() float64 {
	if f.complete < 2 || f.lastAt <= f.firstAt {
		return 0
	}
	return float64(f.complete-1) * float64(time.Second) / float64(f.lastAt-f.firstAt)
}
