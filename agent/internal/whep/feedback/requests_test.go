package feedback

import (
	"slices"
	"testing"
)

func TestEachMissingPacketIsRequestedAtItsOwnInterval(t *testing.T) {
	var r Requests
	const ms = int64(1e6)
	for _, step := range []struct {
		atMs      int64
		roundTrip int64
		missing   []uint16
		want      []uint16
	}{
		{0, 0, []uint16{65535, 0}, nil},
		{10, 0, []uint16{65535, 0}, []uint16{65535, 0}},
		{20, 0, []uint16{65535, 0, 9}, nil},
		{30, 0, []uint16{65535, 0, 9}, []uint16{9}},
		{100, 0, []uint16{65535, 9}, nil},
		{110, 0, []uint16{65535, 9}, []uint16{65535}},
		{130, 300 * ms, []uint16{9}, []uint16{9}},
		{230, 300 * ms, []uint16{9}, nil},
		{430, 300 * ms, []uint16{9}, []uint16{9}},
		{440, 0, nil, nil},
	} {
		if got := r.Due(nil, step.missing, step.atMs*ms, step.roundTrip); !slices.Equal(got, step.want) {
			t.Errorf("after %d ms %v are requested, want %v", step.atMs, got, step.want)
		}
	}
	if r.list != nil {
		t.Errorf("%v is kept though nothing is missing", r.list)
	}
}

func TestRequestsEnd(t *testing.T) {
	var r Requests
	requestCount := 0
	for i := range int64(300) {
		requestCount += len(r.Due(nil, []uint16{5}, i*10e6, 0))
	}
	if requestCount != maxTries {
		t.Errorf("requested %d times", requestCount)
	}
}
