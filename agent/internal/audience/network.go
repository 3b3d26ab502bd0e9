package audience

import (
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/netshape"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/shaper"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
)

// network makes the simulated network of a job; nil if it has none.
func (a *Audience) network(params protocol.AudienceStartParams) (*shaper.Job, error) {
	asked := params.Network
	if asked == nil {
		return nil, nil
	}
	sharedBy := orDefault(asked.SharedBy, 1)
	switch {
	case sharedBy < 1 || sharedBy > protocol.NetworkMaxSharedBy:
		return nil, control.BadRequest("network.sharedBy is %d; it must be 1 to %d.", sharedBy, protocol.NetworkMaxSharedBy)
	case len(asked.Steps) < 1 || len(asked.Steps) > protocol.NetworkMaxSteps:
		return nil, control.BadRequest("network.steps has %d entries; it must have 1 to %d.", len(asked.Steps), protocol.NetworkMaxSteps)
	}
	schedule := make(netshape.Schedule, len(asked.Steps))
	for i, step := range asked.Steps {
		if step.AfterMs < 0 || i > 0 && step.AfterMs < asked.Steps[i-1].AfterMs {
			return nil, control.BadRequest("network.steps must be in order of afterMs, from 0; entry %d has %d.", i+1, step.AfterMs)
		}
		down, err := direction(fmt.Sprintf("network.steps[%d].down", i), step.Down)
		if err != nil {
			return nil, err
		}
		up, err := direction(fmt.Sprintf("network.steps[%d].up", i), step.Up)
		if err != nil {
			return nil, err
		}
		schedule[i] = netshape.Step{After: time.Duration(step.AfterMs) * time.Millisecond, Network: netshape.Network{Down: down, Up: up}}
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(params.Job)) // never fails
	return a.shaping().Job(schedule, sharedBy, seed.Sum64()), nil
}

func direction(path string, d protocol.NetworkDirection) (netshape.Direction, error) {
	var err error
	value := func(name string, setting *float64, maximum float64) float64 {
		of := orDefault(setting, 0)
		if err == nil && !(of >= 0 && of <= maximum) {
			err = control.BadRequest("%s.%s is %v; it must be 0 to %v.", path, name, of, maximum)
		}
		return of
	}
	whole := func(name string, setting *int, usual, maximum int) float64 {
		of := float64(orDefault(setting, usual))
		return value(name, &of, float64(maximum))
	}
	const percent, ms = 100.0, float64(time.Millisecond)
	simulated := netshape.Direction{
		BitsPerSecond: 1000 * value("rateKbps", d.RateKbps, protocol.NetworkMaxRateKbps),
		QueueNs:       int64(ms * whole("queueMs", d.QueueMs, protocol.NetworkQueueMsDefault, protocol.NetworkMaxQueueMs)),
		QueuePackets:  int(whole("queuePackets", d.QueuePackets, 0, protocol.NetworkMaxQueuePackets)),
		DelayNs:       int64(ms * value("delayMs", d.DelayMs, protocol.NetworkMaxDelayMs)),
		JitterNs:      int64(ms * value("jitterMs", d.JitterMs, protocol.NetworkMaxJitterMs)),
		Loss:          value("lossPercent", d.LossPercent, percent) / percent,
	}
	if b := d.Burst; b != nil {
		simulated.Burst = netshape.GilbertElliott{P: value("burst.p", &b.P, percent) / percent, R: value("burst.r", &b.R, percent) / percent,
			H: value("burst.h", &b.H, percent) / percent, K: value("burst.k", &b.K, percent) / percent}
	}
	if err == nil && simulated.JitterNs > simulated.DelayNs {
		err = control.BadRequest("%s.jitterMs exceeds delayMs, so packets would arrive before they are sent.", path)
	}
	return simulated, err
}

// networkWarnings has a sentence for what the protocol does not let a simulated network do.
func networkWarnings(params protocol.AudienceStartParams) []string {
	warnings := []string{}
	isDatagrams := params.Protocol == protocol.PullProtocolWHEP || params.Protocol == protocol.PullProtocolLiveKit
	if params.Network == nil || isDatagrams && params.Transport != protocol.ICETransportTCP {
		return warnings
	}
	loses := func(d protocol.NetworkDirection) bool { return orDefault(d.LossPercent, 0) > 0 || d.Burst != nil }
	for _, step := range params.Network.Steps {
		if loses(step.Down) || loses(step.Up) {
			return append(warnings, fmt.Sprintf("The simulated network has no loss for %s: TCP would repair it. Its rate and delay apply.", params.Protocol))
		}
	}
	return warnings
}

// shapers starts the thread of the simulated networks when the first job needs it.
type shapers struct {
	once   sync.Once
	shaper *shaper.Shaper
}

func (a *Audience) shaping() *shaper.Shaper {
	a.shapers.once.Do(func() { a.shapers.shaper = shaper.New() })
	return a.shapers.shaper
}

// close releases all that is held, before the loop that reads the sockets is closed.
func (s *shapers) close() {
	if s.shaper != nil {
		s.shaper.Close()
	}
}

// datagrams opens the sockets of a job's viewers, behind its simulated network if it has one.
func (a *Audience) datagrams(network *shaper.Job) udpreader.Loop {
	if network == nil {
		return a.loop
	}
	return network.Loop(a.loop)
}

// connections reads the TCP connections of a job's viewers, behind its simulated network if it has one.
func (a *Audience) connections(network *shaper.Job) tcpreader.Streams {
	if network == nil {
		return a.streams
	}
	return network.Streams(a.streams)
}

// networkSample is what a job's simulated network did in an interval; nil without one.
func (j *job) networkSample(interval time.Duration) *protocol.NetworkSample {
	if j.network == nil || interval <= 0 {
		return nil
	}
	down, up, overflowed := j.network.Sample()
	if overflowed > 0 && !j.heldTooMany {
		j.heldTooMany = true
		j.event(protocol.AgentEvent{Name: protocol.EventWarning, Job: j.params.Job,
			Message: "The simulated networks hold more packets than this tester can: some were dropped, which counts as loss. Use a shorter delay, fewer viewers here, or a second tester."})
	}
	return &protocol.NetworkSample{Down: directionSample(down, interval), Up: directionSample(up, interval)}
}

func directionSample(d shaper.Direction, interval time.Duration) protocol.NetworkDirectionSample {
	sample := protocol.NetworkDirectionSample{Kbps: float64(d.Bytes) * 8 / 1000 / interval.Seconds(),
		RandomDrops: d.Packets[netshape.RandomLoss], BurstDrops: d.Packets[netshape.BurstLoss], QueueDrops: d.Packets[netshape.QueueFull]}
	if d.LimitBitsPerSecond > 0 {
		limit := d.LimitBitsPerSecond / 1000
		sample.LimitKbps = &limit
		if d.Waited {
			median, maximum := ms(int64(d.WaitMedian)), ms(int64(d.WaitMax))
			sample.QueueP50Ms, sample.QueueMaxMs = &median, &maximum
		}
	}
	return sample
}
