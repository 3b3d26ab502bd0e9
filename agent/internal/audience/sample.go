package audience

import (
	"slices"
	"time"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

const (
	// leadingShare is the percentile of the viewers' frame rates that counts as the stream's rate.
	leadingShare = 90
	// endedSamples is in how many samples a job is still included after it ended.
	endedSamples = 5
)

// intervalFigures are one interval's figures of a job.
type intervalFigures struct {
	distributions
	sum              stats.Slice
	leading          []float64
	delays           delays
	relayed, overTCP int
	repairs          viewer.Repairs
	hasRepairs       bool
}

// begin empties them for the next interval, and keeps their memory.
func (all *intervalFigures) begin() {
	all.distributions.reset()
	all.delays.begin()
	all.sum, all.leading = stats.Slice{}, all.leading[:0]
	all.relayed, all.overTCP = 0, 0
	all.repairs, all.hasRepairs = viewer.Repairs{}, false
}

// sample ends the interval of every viewer; false once the job is no longer included.
func (j *job) sample(interval time.Duration) (protocol.JobSample, bool) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state == protocol.JobEnded {
		if j.endedSamples++; j.endedSamples > endedSamples {
			return protocol.JobSample{}, false
		}
	}
	now := j.now()
	all := &j.figures
	all.begin()
	var overflowed, freezes uint64
	var freezeMs float64
	s := protocol.JobSample{Job: j.params.Job, State: j.state, Requested: len(j.viewerStates),
		ArrivalRateTarget: j.perSecond, ArrivalRateAchieved: j.achieved(), Failures: slices.Clone(j.failures)}
	if s.Failures == nil {
		s.Failures = []protocol.JobFailure{}
	}
	for i := range j.viewerStates {
		m := &j.viewerStates[i]
		if m.viewer != nil && (m.state == protocol.ViewerConnecting || m.state == protocol.ViewerConnected) {
			if before := m.last.FirstPacketAt; j.observe(m, now, interval, all) && before == 0 {
				j.arrive(i, m.last.FirstPacketAt)
			}
		}
		s.Stalls += m.last.Stalls + m.loss.stalls
		freezes += uint64(m.last.FreezeCount) + m.loss.freezes
		freezeMs += float64(m.last.FreezeMs) + m.loss.freezeMs
		s.DamagedPackets += m.last.Damaged + m.loss.damaged
		overflowed += m.last.Overflowed + m.loss.overflowed
	}
	if !isAudioOnly(j.params) && !j.hasAudioOnly() {
		s.FreezeCount, s.FreezeDurationMs = &freezes, &freezeMs
	}
	if overflowed > 0 && j.overflowed == 0 {
		j.event(protocol.AgentEvent{Name: protocol.EventWarning, Job: j.params.Job,
			Message: "This machine reads too slowly: packets were dropped at the viewers' sockets, so part of the loss shown is the tester's. Use fewer viewers here, or a second tester."})
	}
	j.overflowed = overflowed
	nominal := j.nominal(all.leading)
	for i := range j.viewerStates {
		m := &j.viewerStates[i]
		m.degraded = ""
		if m.state == protocol.ViewerConnected {
			m.degraded = stats.DegradedReason(observed(m, now.UnixNano(), nominal))
			m.history.judged(m.degraded, now.UnixNano())
		}
		if m.degraded != "" {
			s.Degraded++
		}
		if m.present {
			s.Present++
		}
		if m.loss.at == 0 {
			count(&s, m.state)
		}
	}
	s.Reconnecting, s.Reconnects, s.ReconnectMs, j.outage.lasted = j.outage.missing, j.outage.reconnects, j.outage.lasted, nil
	s.Replaced = j.replaced
	all.fill(&s, interval)
	s.Layers = j.layers.take()
	s.Network = j.networkSample(interval)
	if j.params.Transport == protocol.ICETransportTCP {
		s.OverTCP = &all.overTCP
	}
	if j.params.TURN != nil {
		s.TURN = &protocol.TURNSample{Viewers: all.relayed}
	}
	return s, true
}

func count(s *protocol.JobSample, state protocol.ViewerState) {
	switch state {
	case protocol.ViewerWaiting:
		s.Waiting++
	case protocol.ViewerConnecting:
		s.Connecting++
	case protocol.ViewerConnected:
		s.Connected++
	case protocol.ViewerFailed:
		s.Failed++
	case protocol.ViewerDisconnected:
		s.Disconnected++
	}
}

// achieved is the rate of the starts so far, from the first to the latest.
func (j *job) achieved() float64 {
	took := j.lastStart.Sub(j.firstStart).Seconds()
	if j.arrived < 2 || took <= 0 {
		return 0
	}
	return float64(j.arrived-1) / took
}

// observe reads a viewer's interval, and reports whether it is connected. The caller holds the mutex.
func (j *job) observe(m *viewerState, now time.Time, interval time.Duration, all *intervalFigures) bool {
	before := m.last
	reading, longest := m.viewer.ReadInterval(now)
	m.last = reading
	all.addStages(m)
	if before.AllocationNs == 0 && reading.AllocationNs != 0 {
		all.allocation.Add(ms(reading.AllocationNs))
	}
	if reading.FirstPacketAt == 0 {
		return false
	}
	m.state = protocol.ViewerConnected
	j.isBack(m, reading.FirstPacketAt)
	if reading.AllocationNs != 0 {
		all.relayed++
	}
	slice := stats.Slice{DurationNs: int64(interval), Frames: reading.Frames - before.Frames, Packets: reading.Packets - before.Packets,
		Bytes: reading.Bytes - before.Bytes, Expected: reading.Expected - before.Expected, Lost: reading.Lost - before.Lost, LongestNs: longest}
	m.window.Push(slice)
	m.history.stalled(reading.Stalls-before.Stalls, max(longest, reading.GapNs), now.UnixNano())
	all.sum.Packets += slice.Packets
	all.sum.Bytes += slice.Bytes
	all.sum.Expected += slice.Expected
	all.sum.Lost += slice.Lost
	if reading.OverTCP {
		all.overTCP++
	}
	if reading.HasRepairs {
		all.addRepairs(reading.Repairs, before.Repairs)
	}
	if before.FirstPacketAt == 0 {
		all.connect.Add(ms(reading.FirstPacketAt - m.startedAt))
	}
	if before.FirstFrameAt == 0 && reading.FirstFrameAt != 0 {
		all.firstFrame.Add(ms(reading.FirstFrameAt - m.startedAt))
	}
	if before.FirstFrameAt != 0 && !reading.AudioOnly {
		all.frameRate.Add(slice.FramesPerSecond())
	}
	if slice.Expected > 0 {
		all.loss.Add(stats.LossPercent(slice.Lost, slice.Expected))
	}
	if before.FirstPacketAt != 0 && interval > 0 {
		all.bitrate.Add(float64(slice.Bytes) * 8 / 1000 / interval.Seconds())
	}
	if longest >= stats.StallNs {
		all.stall.Add(ms(longest))
	}
	if ended := reading.FreezeCount - before.FreezeCount; ended > 0 { // of several in one interval the mean
		for range ended {
			all.freeze.Add(float64(reading.FreezeMs-before.FreezeMs) / float64(ended))
		}
	}
	m.fps = m.window.Sum().FramesPerSecond()
	if now.UnixNano()-judgedSince(reading) >= stats.WindowNs && !reading.AudioOnly {
		all.leading = append(all.leading, m.fps)
	}
	if reading.HasJitter {
		all.jitter.Add(reading.JitterMs)
	}
	if reading.Width > 0 {
		j.layers.add(int(reading.Width), int(reading.Height))
	}
	if reading.RoundTripNs > 0 {
		all.rtt.Add(ms(reading.RoundTripNs))
	}
	if slice.Packets > 0 { // else the delay is that of earlier ones
		all.delays.add(reading)
	}
	if buffer := reading.Buffer; buffer != nil {
		all.buffer.Add(ms(buffer.AheadNs))
		if buffer.HasBehind {
			all.latency.Add(ms(buffer.BehindNs))
		}
	}
	return true
}

// judgedSince is when a viewer's full window starts: with the first frame, since the wait for the keyframe has its own
// figure; without one, with the first packet.
func judgedSince(reading viewer.Reading) int64 {
	if reading.FirstFrameAt != 0 {
		return reading.FirstFrameAt
	}
	return reading.FirstPacketAt
}

// hasAudioOnly reports whether the servers of all viewers that receive media have audio without video.
func (j *job) hasAudioOnly() bool {
	isAudio := false
	for i := range j.viewerStates {
		if last := &j.viewerStates[i].last; last.FirstPacketAt != 0 && !last.AudioOnly {
			return false
		} else if last.FirstPacketAt != 0 {
			isAudio = true
		}
	}
	return isAudio
}

func observed(m *viewerState, now int64, nominal float64) stats.Observed {
	window := m.window.Sum()
	if m.last.AudioOnly {
		nominal = 0 // no frame rate to judge
	}
	return stats.Observed{LongestGapNs: max(window.LongestNs, m.last.GapNs), FrameRate: window.FramesPerSecond(), NominalFrameRate: nominal,
		LossPercent: stats.LossPercent(window.Lost, window.Expected), ConnectedForNs: now - judgedSince(m.last)}
}

func (j *job) nominal(leading []float64) float64 {
	if j.params.NominalFPS != nil {
		return *j.params.NominalFPS
	}
	if rate := stats.Percentiles(leading, leadingShare); rate != nil {
		return rate[0]
	}
	return 0
}

func ms(nanoseconds int64) float64 { return float64(nanoseconds) / 1e6 }

func (all *intervalFigures) fill(s *protocol.JobSample, interval time.Duration) {
	if interval > 0 {
		s.BitrateKbps = float64(all.sum.Bytes) * 8 / 1000 / interval.Seconds()
		s.PacketsPerSecond = float64(all.sum.Packets) / interval.Seconds()
	}
	if all.sum.Expected > 0 {
		loss := stats.LossPercent(all.sum.Lost, all.sum.Expected)
		s.LossPercent = &loss
	}
	s.Repair, s.Delay = all.repair(interval), all.delays.sample()
	s.Distributions = all.distributions.sample()
}

// views lists the viewers in a state, all if it is empty.
func (j *job) views(params protocol.AudienceViewersParams) protocol.AudienceViewersResult {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	result := protocol.AudienceViewersResult{Viewers: []protocol.AudienceViewer{}}
	now := j.now()
	for i := range j.viewerStates {
		m := &j.viewerStates[i]
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

// view has a viewer's figures: the newest while it runs, then its last.
func (m *viewerState) view(number int, now time.Time) protocol.AudienceViewer {
	reading := m.last
	if m.viewer != nil && (m.state == protocol.ViewerConnecting || m.state == protocol.ViewerConnected) {
		reading = m.viewer.Read(now)
	}
	v := protocol.AudienceViewer{Viewer: number, State: m.state, ArrivedMs: m.startedAt / 1e6, Packets: reading.Packets,
		Bytes: reading.Bytes, Lost: reading.Lost, LossPercent: stats.LossPercent(reading.Lost, reading.Expected),
		Frames: reading.Frames, Stalls: reading.Stalls, StalledMs: ms(reading.StalledNs),
		DegradedMs: ms(m.history.degradedFor(now.UnixNano())), Degraded: m.degraded != "", DegradedReason: m.degraded,
		Failure: (*protocol.Failure)(m.failure)}
	since := func(at int64) *float64 {
		if at == 0 {
			return nil
		}
		value := ms(at - m.startedAt)
		return &value
	}
	v.ConnectMs, v.FirstFrameMs = since(reading.FirstPacketAt), since(reading.FirstFrameAt)
	if !reading.AudioOnly {
		freezes, freezeMs := uint64(reading.FreezeCount), float64(reading.FreezeMs)
		v.FreezeCount, v.FreezeDurationMs = &freezes, &freezeMs
	}
	if reading.HasJitter {
		v.JitterMs = &reading.JitterMs
	}
	if m.state == protocol.ViewerConnected && !reading.AudioOnly {
		v.FPS = &m.fps
	}
	if reading.RoundTripNs > 0 {
		trip := ms(reading.RoundTripNs)
		v.RoundTripMs = &trip
	}
	if reading.DelayMethod != "" {
		delay := ms(reading.DelayNs)
		v.DelayMs, v.DelayMethod = &delay, reading.DelayMethod
	}
	return v
}
