package audience

import "slices"

// maxKept viewers of ended jobs are kept, besides those of the latest job: memory must not grow while jobs start and
// end for days.
const maxKept = 5000

// dropOldest drops the oldest ended jobs.
func dropOldest(jobs []*job) []*job {
	remaining := make([]*job, 0, len(jobs)+1)
	ended := 0
	for _, j := range slices.Backward(jobs) {
		if j.ended() {
			isLatest := ended == 0
			ended += j.params.Viewers
			if ended > maxKept && !isLatest {
				continue
			}
		}
		remaining = append(remaining, j)
	}
	slices.Reverse(remaining)
	return remaining
}
