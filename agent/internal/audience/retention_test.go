package audience

import (
	"slices"
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestOldEndedJobsAreDropped(t *testing.T) {
	ended, playing := make(chan struct{}), make(chan struct{})
	close(ended)
	of := func(name string, viewers int, done chan struct{}) *job {
		return &job{params: protocol.AudienceStartParams{Job: name, Viewers: viewers}, done: done}
	}
	kept := dropOldest([]*job{of("oldest", 100, ended), of("plays", 20_000, playing), of("old", maxKept-200, ended), of("newer", 150, ended), of("latest", 60, ended)})
	names := make([]string, 0, len(kept))
	for _, j := range kept {
		names = append(names, j.params.Job)
	}
	if want := []string{"plays", "newer", "latest"}; !slices.Equal(names, want) {
		t.Errorf("kept %v, want %v", names, want)
	}
	if huge := dropOldest([]*job{of("small", 1, ended), of("huge", 3*maxKept, ended)}); len(huge) != 1 || huge[0].params.Job != "huge" {
		t.Errorf("the latest job must be kept, kept %d jobs", len(huge))
	}
}
