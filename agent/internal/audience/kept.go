package audience

import "slices"

// mostKept viewers of ended jobs are remembered, besides those of the latest: an audience that comes and goes for days must not grow.
const mostKept = 5000

// forgetOldest drops the ended jobs of long ago.
func forgetOldest(jobs []*job) []*job {
	kept := make([]*job, 0, len(jobs)+1)
	ended := 0
	for _, j := range slices.Backward(jobs) {
		if j.ended() {
			isLatest := ended == 0
			ended += j.params.Viewers
			if ended > mostKept && !isLatest {
				continue
			}
		}
		kept = append(kept, j)
	}
	slices.Reverse(kept)
	return kept
}
