package stats

// CompleteFrame counts a frame received in one message, as over TCP: it can be late, but not broken.
func (f *Frames) CompleteFrame(keyframe bool, at int64) {
	f.open, f.intact, f.keyframe = true, true, keyframe
	f.finish(at, true)
}
