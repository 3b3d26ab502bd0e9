package stats

// CompleteFrame counts a frame received in one message, as over TCP: it can be late, but not broken. Several messages
// may be read together, up to 300 ms late, and then have the time of the last. Only the ends of a gap of StallNs are
// exact, so shorter intervals are no freeze here: frames that were read together get equal shares of the time.
func (f *Frames) CompleteFrame(keyframe bool, at int64) {
	f.open, f.intact, f.keyframe, f.inPortions = true, true, keyframe, true
	f.finish(at, true)
}

// portion follows the intervals between frames that are read together.
func (f *Frames) portion(intervalMs int64) {
	switch {
	case intervalMs <= 0:
		f.together = min(f.together+1, freezeIntervals)
		return
	case intervalMs*1e6 >= StallNs:
		f.Freezes.add(intervalMs)
	default:
		frames := max(f.together, 1)
		for range frames {
			f.Freezes.remember(intervalMs / int64(frames))
		}
	}
	f.together = 1
}
