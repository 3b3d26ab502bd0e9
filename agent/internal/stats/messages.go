package stats

// Whole takes a frame that came in one piece, as protocols over TCP carry them: it can be late, but not broken.
func (f *Frames) Whole(keyframe bool, at int64) {
	f.open, f.intact, f.keyframe = true, true, keyframe
	f.finish(at, true)
}
