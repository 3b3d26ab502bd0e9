package truth

import "time"

// frame is one of which packets are still to come.
type frame struct {
	timestamp   uint32
	outstanding int
	ended       bool // its last packet was sent
	keyframe    bool
	broken      bool
	at          int64 // when its latest packet came
}

// frames are counted in their order: a player shows none before the one it waits for.
type frames struct {
	open    []frame
	started bool // a whole keyframe has come
	whole   uint64
	broken  uint64
	freezes uint64
	frozen  int64
	firstAt int64
	lastAt  int64
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

// settle says that one packet of the frame has come, or was lost for good.
func (f *frames) settle(timestamp uint32, at int64, came bool) {
	for i := range f.open {
		of := &f.open[i]
		if of.timestamp != timestamp {
			continue
		}
		of.outstanding--
		of.at = max(of.at, at)
		of.broken = of.broken || !came
		f.close()
		return
	}
}

// close counts the frames from the front that nothing is missing of any more.
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
		f.started, f.whole, f.firstAt, f.lastAt = true, 1, of.at, of.at
	default:
		if gap := of.at - f.lastAt; gap >= freeze {
			f.freezes++
			f.frozen += gap
		}
		f.lastAt = max(f.lastAt, of.at)
		f.whole++
	}
}

// rate is in frames per second, 0 while there is no second frame.
func (f *frames) rate() float64 {
	if f.whole < 2 || f.lastAt <= f.firstAt {
		return 0
	}
	return float64(f.whole-1) * float64(time.Second) / float64(f.lastAt-f.firstAt)
}
