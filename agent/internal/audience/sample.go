package audience

import (
	"slices"
	"time"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

const (
	// leadingShare is the percentile of the audience's own frame rates that is taken for the stream's.
	leadingShare = 90
	// endedSamples is in how many samples a job still shows after it ended.
	endedSamples = 5
)

// gathered are one interval's figures of a job, before they become percentiles.
type gathered struct {
	sum                                         stats.Slice
	frameRate, connect, firstFrame, jitter, rtt []float64
	leading                                     []float64
}

// sample ends the interval of every viewer; false when the job no longer shows.
func (j *job) sample(interval time.Duration) (JobSample, bool) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state == JobEnded {
		if j.endedSamples++; j.endedSamples > endedSamples {
			return JobSample{}, false
		}
	}
	now := j.now()
	var all gathered
	var overflowed uint64
	s := JobSample{Job: j.params.Job, State: j.state, Requested: len(j.members), ArrivalRateAsked: j.perSecond,
		ArrivalRateAchieved: j.achieved(), Failures: slices.Clone(j.failures)}
	if s.Failures == nil {
		s.Failures = []FailureView{}
	}
	for i := range j.members {
		m := &j.members[i]
		if m.state == Connecting || m.state == Connected {
			j.observe(m, now, interval, &all)
		}
		s.Freezes += m.last.Freezes
		s.DamagedPackets += m.last.Damaged
		overflowed += m.last.Overflowed
	}
	if overflowed > 0 && j.overflowed == 0 {
		j.event(link.Event{Name: "warning", Job: j.params.Job, Message: "This machine does not read fast enough: packets were dropped at the viewers' own sockets, so the loss shown is partly the tester's. Use fewer viewers here, or a second tester."})
	}
	j.overflowed = overflowed
	nominal := j.nominal(all.leading)
	for i := range j.members {
		m := &j.members[i]
		m.degraded = ""
		if m.state == Connected {
			m.degraded = stats.DegradedBecause(seen(m, now.UnixNano(), nominal))
			m.history.judged(m.degraded, now.UnixNano())
		}
		if m.degraded != "" {
			s.Degraded++
		}
		if m.present {
			s.Present++
		}
		s.count(m.state)
	}
	all.fill(&s, interval)
	return s, true
}

func (s *JobSample) count(state State) {
	switch state {
	case Waiting:
		s.Waiting++
	case Connecting:
		s.Connecting++
	case Connected:
		s.Connected++
	case Failed:
		s.Failed++
	case Left:
		s.Left++
	}
}

// achieved is the rate of the arrivals so far, over the time from the first to the latest.
func (j *job) achieved() float64 {
	took := j.lastArrival.Sub(j.firstArrival).Seconds()
	if j.arrived < 2 || took <= 0 {
		return 0
	}
	return float64(j.arrived-1) / took
}

// observe reads a viewer's interval. The caller holds the mutex.
func (j *job) observe(m *member, now time.Time, interval time.Duration, all *gathered) {
	before := m.last
	reading, longest := m.viewer.ReadInterval(now)
	m.last = reading
	if reading.FirstPacketAt == 0 {
		return
	}
	m.state = Connected
	slice := stats.Slice{DurationNs: int64(interval), Frames: reading.Frames - before.Frames, Packets: reading.Packets - before.Packets,
		Bytes: reading.Bytes - before.Bytes, Expected: reading.Expected - before.Expected, Lost: reading.Lost - before.Lost, LongestNs: longest}
	m.window.Push(slice)
	m.history.froze(reading.Freezes-before.Freezes, max(longest, reading.GapNs), now.UnixNano())
	all.sum.Packets += slice.Packets
	all.sum.Bytes += slice.Bytes
	all.sum.Expected += slice.Expected
	all.sum.Lost += slice.Lost
	if before.FirstPacketAt == 0 {
		all.connect = append(all.connect, ms(reading.FirstPacketAt-m.arrivedAt))
	}
	if before.FirstFrameAt == 0 && reading.FirstFrameAt != 0 {
		all.firstFrame = append(all.firstFrame, ms(reading.FirstFrameAt-m.arrivedAt))
	}
	if before.FirstFrameAt != 0 {
		all.frameRate = append(all.frameRate, slice.FramesPerSecond())
	}
	m.fps = m.window.Sum().FramesPerSecond()
	if now.UnixNano()-judgedSince(reading) >= stats.WindowNs {
		all.leading = append(all.leading, m.fps)
	}
	if reading.HasJitter {
		all.jitter = append(all.jitter, reading.JitterMs)
	}
	if reading.RoundTripNs > 0 {
		all.rtt = append(all.rtt, ms(reading.RoundTripNs))
	}
}

// judgedSince is when a viewer's full window begins: with the first frame, since a wait for the keyframe has its
// own figure; without one, with the first packet.
func judgedSince(reading viewer.Reading) int64 {
	if reading.FirstFrameAt != 0 {
		return reading.FirstFrameAt
	}
	return reading.FirstPacketAt
}

func seen(m *member, now int64, nominal float64) stats.Seen {
	window := m.window.Sum()
	return stats.Seen{LongestGapNs: max(window.LongestNs, m.last.GapNs), FrameRate: window.FramesPerSecond(), NominalFrameRate: nominal,
		LossPercent: stats.LossPercent(window.Lost, window.Expected), ConnectedForNs: now - judgedSince(m.last)}
}

func (j *job) nominal(leading []float64) float64 {
	if j.params.NominalFps != nil {
		return *j.params.NominalFps
	}
	if rate := stats.Percentiles(leading, leadingShare); rate != nil {
		return rate[0]
	}
	return 0
}

func ms(nanoseconds int64) float64 { return float64(nanoseconds) / 1e6 }

func spread(values []float64) *Spread {
	p := stats.Percentiles(values, 50, 95, 99)
	if p == nil {
		return nil
	}
	return &Spread{P50: p[0], P95: p[1], P99: p[2]}
}

func (all *gathered) fill(s *JobSample, interval time.Duration) {
	if interval > 0 {
		s.BitrateKbps = float64(all.sum.Bytes) * 8 / 1000 / interval.Seconds()
		s.PacketsPerSecond = float64(all.sum.Packets) / interval.Seconds()
	}
	if all.sum.Expected > 0 {
		loss := stats.LossPercent(all.sum.Lost, all.sum.Expected)
		s.LossPercent = &loss
	}
	if p := stats.Percentiles(all.frameRate, 5, 50, 95); p != nil {
		s.FrameRate = &RateSpread{P5: p[0], P50: p[1], P95: p[2]}
	}
	s.ConnectMs, s.FirstFrameMs = spread(all.connect), spread(all.firstFrame)
	s.JitterMs, s.RoundTripMs = spread(all.jitter), spread(all.rtt)
}

// views lists the viewers in a state, all when it is empty.
func (j *job) views(params ViewersParams) ViewersResult {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	result := ViewersResult{Viewers: []ViewerView{}}
	now := j.now()
	for i := range j.members {
		m := &j.members[i]
		if params.State != "" && m.state != params.State {
			continue
		}
		result.Total++
		if result.Total > params.Offset && len(result.Viewers) < params.Limit {
			result.Viewers = append(result.Viewers, m.view(i+1, now))
		}
	}
	return result
}

// view tells a viewer's figures: while it plays the newest, then its last.
func (m *member) view(number int, now time.Time) ViewerView {
	reading := m.last
	if m.state == Connecting || m.state == Connected {
		reading = m.viewer.Read(now)
	}
	v := ViewerView{Viewer: number, State: m.state, ArrivedMs: m.arrivedAt / 1e6, Packets: reading.Packets, Bytes: reading.Bytes,
		Lost: reading.Lost, LossPercent: stats.LossPercent(reading.Lost, reading.Expected), Frames: reading.Frames,
		Freezes: reading.Freezes, FrozenMs: ms(reading.FrozenNs), DegradedMs: ms(m.history.degradedFor(now.UnixNano())), Degraded: m.degraded != "", DegradedBecause: m.degraded, Failure: m.failure}
	since := func(at int64) *float64 {
		if at == 0 {
			return nil
		}
		value := ms(at - m.arrivedAt)
		return &value
	}
	v.ConnectMs, v.FirstFrameMs = since(reading.FirstPacketAt), since(reading.FirstFrameAt)
	if reading.HasJitter {
		v.JitterMs = &reading.JitterMs
	}
	if m.state == Connected {
		v.Fps = &m.fps
	}
	if reading.RoundTripNs > 0 {
		trip := ms(reading.RoundTripNs)
		v.RoundTripMs = &trip
	}
	return v
}
