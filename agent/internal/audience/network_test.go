package audience

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/netshape"
	"fullhouse/agent/internal/protocol"
)

// networkSeconds is how long each network is measured. The table in docs/performance.md is of 30.
var networkSeconds = flag.Float64("network-seconds", 2, "how long simulated networks are measured")

func pointer[T any](value T) *T { return &value }

// seenByLab is what the viewers of a stream told the lab: transport-wide feedback on each packet, and the round trips of
// RTCP.
type seenByLab struct {
	at             time.Time
	received, lost int
	roundTripsMs   []float64
}

func readLab(t *testing.T, origin *lab.Lab, stream string) (seen seenByLab) {
	t.Helper()
	result, err := origin.Call(t.Context(), "lab.viewers", json.RawMessage(`{"stream":"`+stream+`","offset":0,"limit":1000}`))
	if err != nil {
		t.Fatal(err)
	}
	seen.at = time.Now()
	for _, v := range result.(protocol.LabViewersResult).Viewers {
		seen.received += v.TransportCC.Received
		seen.lost += v.TransportCC.Lost
		for _, report := range []*protocol.LabReport{v.VideoReport, v.AudioReport} {
			if report != nil && report.RoundTripMs != nil {
				seen.roundTripsMs = append(seen.roundTripsMs, *report.RoundTripMs)
			}
		}
	}
	return seen
}

// TestSimulatedNetworksAreAsAsked measures by the record of the lab. Loss and rate start some seconds later, when the
// viewers have connected: so the loss can be high enough to be measured in a short time.
func TestSimulatedNetworksAreAsAsked(t *testing.T) {
	t.Parallel()
	const viewers, startsMs = 20, 6000
	// Feedback may be 200 ms old at both ends of a measurement, and late by some more on a busy machine. The exact rates
	// are tested in virtual time (netshape).
	tolerated := max(0.05, 0.6 / *networkSeconds)
	type direction = protocol.NetworkDirection
	tests := []struct {
		name        string
		down, up    direction
		sharedBy    int
		lossPercent float64
		packets     float64 // of a mean burst
		// minRTTMs is below every round trip, and maxRTTMs above the shortest: a busy machine adds to the others.
		minRTTMs, maxRTTMs float64
		kbps               float64 // of all viewers
	}{
		{name: "delay", down: direction{DelayMs: pointer(70.0)}, up: direction{DelayMs: pointer(50.0)}, minRTTMs: 119.9, maxRTTMs: 130},
		{name: "jitter", down: direction{DelayMs: pointer(100.0), JitterMs: pointer(15.0)},
			up: direction{DelayMs: pointer(100.0), JitterMs: pointer(15.0)}, minRTTMs: 169.9, maxRTTMs: 200},
		{name: "random", down: direction{LossPercent: pointer(20.0)}, lossPercent: 20, packets: 1},
		{name: "burst", down: direction{Burst: &protocol.NetworkBurst{P: 15, R: 45, H: 0, K: 100}}, lossPercent: 25, packets: 100.0 / 45},
		{name: "rate", down: direction{RateKbps: pointer(100.0)}, kbps: 100 * viewers},
		{name: "shared", down: direction{RateKbps: pointer(1000.0)}, sharedBy: 10, kbps: 1000 * viewers / 10},
	}
	origin, err := lab.Start(lab.Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Samples: "../../../assets/lab",
		Event: func(protocol.AgentEvent) {}, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := origin.Close(); err != nil {
			t.Error(err)
		}
	})
	s := newHarness(t)
	for _, test := range tests {
		for _, call := range []string{`lab.publish-sample {"stream":"#","sample":"sample-240p"}`, `lab.conditions {"stream":"#","noRepair":true,"transportCc":true}`} {
			name, params, _ := strings.Cut(strings.ReplaceAll(call, "#", test.name), " ")
			if _, err := origin.Call(t.Context(), name, json.RawMessage(params)); err != nil {
				t.Fatal(err)
			}
		}
		s.mustCall("audience.start", protocol.AudienceStartParams{Job: test.name, Protocol: "whep",
			URL: "http://" + origin.HTTP() + "/whep/" + test.name, Viewers: viewers, RatePerSecond: 100, Parallel: pointer(64), StageTimeoutMs: pointer(patientMs),
			Network: &protocol.JobNetwork{SharedBy: pointer(max(test.sharedBy, 1)),
				Steps: []protocol.NetworkStep{{Down: delayOf(test.down), Up: delayOf(test.up)}, {AfterMs: startsMs, Down: test.down, Up: test.up}}}})
	}
	started := time.Now()
	waitFor(t, "all viewers to connect", func() bool {
		jobs := s.Sample(protocol.ProcessSample{}, 20*time.Millisecond).(protocol.AudienceSample).Jobs
		return !slices.ContainsFunc(jobs, func(j protocol.JobSample) bool { return j.Connected < viewers })
	})
	time.Sleep(max(time.Second, startsMs*time.Millisecond-time.Since(started)) + 600*time.Millisecond) // feedback on earlier packets has been sent, and queues are full
	read := func() (seen []seenByLab) {
		for _, test := range tests {
			seen = append(seen, readLab(t, origin, test.name))
		}
		return seen
	}
	s.Sample(protocol.ProcessSample{}, time.Second)
	sampled := time.Now()
	first := read()
	time.Sleep(time.Duration(*networkSeconds * float64(time.Second)))
	last := read()
	jobs := s.Sample(protocol.ProcessSample{}, time.Since(sampled)).(protocol.AudienceSample).Jobs
	for i, test := range tests {
		if jobs[i].Connected != viewers {
			t.Fatalf("%s: %d of %d viewers are connected; %+v", test.name, jobs[i].Connected, viewers, jobs[i].Failures)
		}
		near := func(what string, got, want, tolerated float64) {
			t.Helper()
			t.Logf("%s: %s %.2f, asked %.2f (%+.1f %%)", test.name, what, got, want, 100*(got-want)/want)
			if math.Abs(got-want) > tolerated*want {
				t.Errorf("%s: %s is %.2f, asked %.2f", test.name, what, got, want)
			}
		}
		received, lost := float64(last[i].received-first[i].received), float64(last[i].lost-first[i].lost)
		if want := test.lossPercent / 100; want > 0 {
			// The share of few packets is not exact: three standard deviations, bursts counting as one draw each.
			deviation := math.Sqrt((1 - want) / want * 2 * test.packets / (received + lost))
			near("loss % by the lab", 100*lost/(lost+received), test.lossPercent, max(tolerated, 3*deviation))
		}
		if test.maxRTTMs > 0 {
			trips := append(first[i].roundTripsMs, last[i].roundTripsMs...)
			if len(trips) == 0 {
				t.Fatalf("%s: no round trip was reported", test.name)
			}
			shortest := slices.Min(trips)
			t.Logf("%s: shortest RTT of %d by the lab %.2f ms", test.name, len(trips), shortest)
			if shortest < test.minRTTMs || shortest > test.maxRTTMs {
				t.Errorf("%s: the shortest RTT is %.2f ms, asked %.2f to %.2f", test.name, shortest, test.minRTTMs, test.maxRTTMs)
			}
		}
		if test.kbps > 0 {
			// Packets by the lab's record, their mean size by the viewers.
			packetBits := 1000*jobs[i].BitrateKbps/jobs[i].PacketsPerSecond + 8*netshape.HeaderUDP4
			near("kbit/s by the lab", received*packetBits/1000/last[i].at.Sub(first[i].at).Seconds(), test.kbps, tolerated)
			near("kbit/s by the agent", jobs[i].Network.Down.Kbps, test.kbps, tolerated)
			if d := jobs[i].Network.Down; d.QueueDrops == 0 || *d.LimitKbps != test.kbps || *d.QueueMaxMs > 200 || *d.QueueP50Ms < 100 {
				t.Errorf("%+v", d)
			}
		}
	}
}

// delayOf is only the delay of a direction.
func delayOf(d protocol.NetworkDirection) protocol.NetworkDirection {
	return protocol.NetworkDirection{DelayMs: d.DelayMs, JitterMs: d.JitterMs}
}

func TestImpossibleNetworksAreRefused(t *testing.T) {
	s := newHarness(t)
	for wantText, network := range map[string]protocol.JobNetwork{
		"network.sharedBy is 0":                                   {SharedBy: pointer(0), Steps: []protocol.NetworkStep{{}}},
		"network.steps has 0 entries":                             {},
		"entry 2 has 5":                                           {Steps: []protocol.NetworkStep{{AfterMs: 10}, {AfterMs: 5}}},
		"network.steps[0].down.lossPercent is 101":                {Steps: []protocol.NetworkStep{{Down: protocol.NetworkDirection{LossPercent: pointer(101.0)}}}},
		"network.steps[0].up.delayMs is -1":                       {Steps: []protocol.NetworkStep{{Up: protocol.NetworkDirection{DelayMs: pointer(-1.0)}}}},
		"network.steps[0].up.rateKbps is NaN":                     {Steps: []protocol.NetworkStep{{Up: protocol.NetworkDirection{RateKbps: pointer(math.NaN())}}}},
		"network.steps[0].down.queueMs is 5000":                   {Steps: []protocol.NetworkStep{{Down: protocol.NetworkDirection{QueueMs: pointer(5000)}}}},
		"network.steps[0].down.burst.p is 200; it must be 0 to 1": {Steps: []protocol.NetworkStep{{Down: protocol.NetworkDirection{Burst: &protocol.NetworkBurst{P: 200}}}}},
		"jitterMs exceeds delayMs":                                {Steps: []protocol.NetworkStep{{Down: protocol.NetworkDirection{JitterMs: pointer(3.0)}}}},
	} {
		params := protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: "http://127.0.0.1:1/whep/cam", Viewers: 1, RatePerSecond: 1, Network: &network}
		if _, err := s.start(params); err == nil || !strings.Contains(err.Error(), wantText) {
			t.Errorf("%v, want %q", err, wantText)
		}
	}
}

func TestLossOverTCPIsWarnedOf(t *testing.T) {
	lossy := &protocol.JobNetwork{Steps: []protocol.NetworkStep{{}, {AfterMs: 1, Up: protocol.NetworkDirection{LossPercent: pointer(1.0)}}}}
	for _, test := range []struct {
		protocol protocol.PullProtocol
		network  *protocol.JobNetwork
		warnings int
	}{{"rtmp", lossy, 1}, {"hls", lossy, 1}, {"whep", lossy, 0}, {"livekit", lossy, 0}, {"rtmp", nil, 0},
		{"rtmp", &protocol.JobNetwork{Steps: []protocol.NetworkStep{{Down: protocol.NetworkDirection{RateKbps: pointer(5.0)}}}}, 0}} {
		if warnings := networkWarnings(protocol.AudienceStartParams{Protocol: test.protocol, Network: test.network}); len(warnings) != test.warnings {
			t.Errorf("%s: %q", test.protocol, warnings)
		}
	}
}
