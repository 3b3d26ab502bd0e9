package viewer

import (
	"slices"
	"testing"
)

const start = int64(1e18)

// sum adds up the completed stages.
func sum(durations [StageCount]int64) (total int64) {
	for _, one := range durations {
		total += max(one, 0)
	}
	return total
}

func TestStagesAddUpToTheFirstFrame(t *testing.T) {
	for name, test := range map[string]struct {
		times Times
		want  [StageCount]int64
	}{
		"WebRTC over TLS": {
			Times{Name: start + 5, TCP: start + 15, TLS: start + 40, Offer: start + 40, Answer: start + 60, ICE: start + 65, DTLS: start + 80,
				FirstPacket: start + 82, FirstFrame: start + 250},
			[StageCount]int64{5, 10, 25, 20, -1, 5, 15, 2, 168},
		},
		"a TURN server that is known": {
			Times{Relay: start + 20, TCP: start + 30, Offer: start + 30, Answer: start + 50, ICE: start + 60, DTLS: start + 70,
				FirstPacket: start + 71, FirstFrame: start + 72},
			[StageCount]int64{-1, 10, -1, 20, 20, 10, 10, 1, 1},
		},
		"a TURN server that the origin lists": {
			Times{TCP: start + 30, Offer: start + 30, Answer: start + 50, Relay: start + 58, ICE: start + 60, DTLS: start + 70,
				FirstPacket: start + 71, FirstFrame: start + 72},
			[StageCount]int64{-1, 30, -1, 20, 8, 2, 10, 1, 1},
		},
		"media before our keys": {
			Times{TCP: start + 1, Answer: start + 2, ICE: start + 3, DTLS: start + 9, FirstPacket: start + 7, FirstFrame: start + 7},
			[StageCount]int64{-1, 1, -1, 1, -1, 1, 4, 0, 0},
		},
		"RTMP": {
			Times{Name: start + 3, TCP: start + 4, Play: start + 14, FirstPacket: start + 14, FirstFrame: start + 40},
			[StageCount]int64{3, 1, -1, 10, -1, -1, -1, 0, 26},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.times.Durations(start)
			if got != test.want {
				t.Errorf("%v instead of %v", got, test.want)
			}
			if sum(got) != test.times.FirstFrame-start {
				t.Errorf("%d ns instead of %d", sum(got), test.times.FirstFrame-start)
			}
		})
	}
}

func TestStagesThatAreNotCompletedHaveNoDuration(t *testing.T) {
	times := Times{TCP: start + 7}
	durations := times.Durations(start)
	for stage, one := range durations {
		if (one >= 0) != (Stage(stage) == StageTCP) {
			t.Errorf("stage %d lasts %d", stage, one)
		}
	}
}

func TestStepsAreThoseThatAreCompleted(t *testing.T) {
	times := Times{Name: 1, TCP: 2, TLS: 3, Play: 9, FirstPacket: 8}
	if got := times.Steps(); !slices.Equal(got, []Step{{"dns", 1}, {"tcp", 2}, {"tls", 3}, {"play", 8}}) {
		t.Errorf("%v", got)
	}
}
