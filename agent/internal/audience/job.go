package audience

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/shaper"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

const (
	// closeParallel is how many viewers close their sessions at once.
	closeParallel = 64
	// closeTimeout is the timeout for closing a session at the server.
	closeTimeout = 3 * time.Second
	// minRateShare of the requested rate must be reached, or a warning is sent.
	minRateShare = 0.9
	// slotInterval times slotsPerSecond is one second. Viewers report in different slots, so that a thousand reports
	// are not sent in one burst.
	slotInterval   = 20 * time.Millisecond
	slotsPerSecond = 50
)

// viewerState is one viewer of a job, guarded by the job's mutex.
type viewerState struct {
	viewer    viewer.Viewer
	state     protocol.ViewerState
	startedAt int64
	present   bool
	// handshaking is true until Connect returned; the viewer must not be ended before.
	handshaking bool
	last        viewer.Reading
	window      stats.Window
	fps         float64
	degraded    protocol.DegradedCause
	failure     *failure.Failure
	history     history
	stages      [viewer.StageCount]bool // that are in the distributions
	// disconnectingAt is when it failed or started to disconnect, disconnectedAt when it had disconnected; 0 before.
	disconnectingAt, disconnectedAt int64
	detail                          *viewer.Detail // of a disconnected viewer
	loss                            loss
	visit                           visit
}

// job runs one audience from ramp-up to teardown.
type job struct {
	params      protocol.AudienceStartParams
	perSecond   float64
	holdFor     time.Duration
	parallel    int
	group       viewer.Group
	memory      *memoryGuard
	network     *shaper.Job // nil without a simulated network
	event       func(protocol.AgentEvent)
	now         func() time.Time
	stopRamp    context.CancelFunc // ends the ramp, the hold and the handshakes
	ramping     context.Context
	stopClosing context.CancelFunc // cancels active offers and DELETEs
	closing     context.Context
	closeSlots  chan struct{}
	connecting  chan struct{} // a slot per handshake
	work        sync.WaitGroup
	done        chan struct{} // closed when ended

	mutex          sync.Mutex
	state          protocol.JobState
	force          bool
	viewerStates   []viewerState
	arrived        int
	firstStart     time.Time
	lastStart      time.Time
	failures       []protocol.JobFailure
	closeErrors    int
	closeError     error
	endedSamples   int
	overflowed     uint64          // packets dropped at our own sockets
	figures        intervalFigures // of the latest interval
	layers         layerShares
	reportedCauses localCauses
	heldTooMany    bool // reported
	outage         outage
	replaced       int
	exhausted      *failure.Failure // why the job was ended; nil otherwise
}

// start starts the job; it ends after the hold, or by stop.
func (j *job) start() {
	j.ramping, j.stopRamp = context.WithCancel(context.Background())
	j.closing, j.stopClosing = context.WithCancel(context.Background())
	j.closeSlots = make(chan struct{}, closeParallel)
	j.connecting = make(chan struct{}, j.parallel)
	j.done = make(chan struct{})
	j.state = protocol.JobRampingUp
	j.viewerStates = make([]viewerState, j.params.Viewers)
	for i := range j.viewerStates {
		j.viewerStates[i].state = protocol.ViewerWaiting
	}
	go j.run()
}

func (j *job) run() {
	ticksDone := make(chan struct{})
	stopTicks := make(chan struct{})
	go func() { defer close(ticksDone); j.tickLoop(stopTicks) }()
	j.ramp()
	j.hold()
	j.disconnectAll()
	j.work.Wait()
	close(stopTicks)
	<-ticksDone
	j.stopClosing()
	j.end()
}

// ramp starts the viewers at the requested rate, at most `parallel` handshakes at once.
func (j *job) ramp() {
	pacer := newPacer(j.perSecond, j.now())
	for i := range j.viewerStates {
		for {
			wait := pacer.wait(j.now())
			if wait == 0 {
				break
			}
			if !sleep(j.ramping, wait) {
				return
			}
		}
		select {
		case j.connecting <- struct{}{}:
		case <-j.ramping.Done():
			return
		}
		isOn, isStarted := j.startNext(i)
		if !isOn {
			return
		}
		if !isStarted {
			<-j.connecting
			continue
		}
		go func() {
			defer j.work.Done()
			j.connect(i)
			<-j.connecting
		}()
	}
}

func sleep(ctx context.Context, duration time.Duration) bool {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// startNext marks the next viewer as started, unless the agent has no memory left for it; isOn is false when the job is
// stopping.
func (j *job) startNext(i int) (isOn, isStarted bool) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state != protocol.JobRampingUp {
		return false, false
	}
	now := j.now()
	if j.arrived == 0 {
		j.firstStart = now
	}
	j.lastStart = now
	j.arrived++
	if f := j.memory.failure(); f != nil {
		j.refuse(i, f)
		return true, false
	}
	j.viewerStates[i] = viewerState{viewer: j.group.New(), state: protocol.ViewerConnecting, startedAt: now.UnixNano(),
		present: true, handshaking: true}
	j.work.Add(1) // under the mutex, and never after the state is leaving
	return true, true
}

func (j *job) connect(i int) {
	f := j.viewerStates[i].viewer.Connect(j.ramping, j.closing)
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.viewerStates[i].handshaking = false
	switch {
	case j.exhausted != nil:
		j.fail(i, j.exhausted)
	case j.ramping.Err() != nil:
		j.disconnect(i) // the job is stopping; the viewer did not fail
	case f != nil:
		j.fail(i, f)
	}
}

// endRamp ends the ramp, and returns a warning if the rate was not reached.
func (j *job) endRamp() (warning string) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state != protocol.JobRampingUp || j.arrived != len(j.viewerStates) {
		return ""
	}
	j.state = protocol.JobHolding
	if achieved := j.achieved(); j.arrived > 1 && achieved < minRateShare*j.perSecond {
		return fmt.Sprintf("Viewers started at %.0f/s instead of %.0f/s: the server or this machine did not complete handshakes faster, with %d at once.",
			achieved, j.perSecond, j.parallel)
	}
	return ""
}

// hold waits until the time is over or the job is stopped.
func (j *job) hold() {
	if warning := j.endRamp(); warning != "" {
		j.event(protocol.AgentEvent{Name: protocol.EventWarning, Job: j.params.Job, Message: warning})
	}
	if j.holdFor == 0 {
		<-j.ramping.Done()
		return
	}
	sleep(j.ramping, j.holdFor)
}

// disconnectAll disconnects all viewers that have started.
func (j *job) disconnectAll() {
	j.mutex.Lock()
	j.state = protocol.JobTearingDown
	j.mutex.Unlock()
	j.stopRamp() // active handshakes end and disconnect by themselves
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for i := range j.viewerStates {
		if !j.viewerStates[i].handshaking {
			j.disconnect(i)
		}
	}
}

// stop starts to end the job and returns how many viewers remain. With force, sessions are not closed at the server.
func (j *job) stop(force bool) (remaining int) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state != protocol.JobEnded {
		if force {
			j.force = true
			j.stopClosing()
		}
		j.stopRamp()
	}
	return j.presentLocked()
}

func (j *job) presentLocked() int {
	count := 0
	for i := range j.viewerStates {
		if j.viewerStates[i].present {
			count++
		}
	}
	return count
}

func (j *job) end() {
	j.mutex.Lock()
	j.state = protocol.JobEnded
	left, failed, never := 0, 0, 0
	for i := range j.viewerStates {
		switch j.viewerStates[i].state {
		case protocol.ViewerDisconnected:
			left++
		case protocol.ViewerFailed:
			failed++
		case protocol.ViewerWaiting:
			never++
		}
	}
	errors, example, overflowed := j.closeErrors, j.closeError, j.overflowed
	j.mutex.Unlock()
	if errors > 0 {
		j.event(protocol.AgentEvent{Name: protocol.EventWarning, Job: j.params.Job,
			Message: fmt.Sprintf("%d viewers failed to close their session; last error: %v.", errors, example)})
	}
	if overflowed > 0 {
		j.event(protocol.AgentEvent{Name: protocol.EventWarning, Job: j.params.Job,
			Message: fmt.Sprintf("%d packets of this job were dropped at the viewers' sockets: the tester was too slow.", overflowed)})
	}
	message := fmt.Sprintf("Job ended: %d viewers disconnected, %d failed", left, failed)
	if never > 0 {
		message += fmt.Sprintf(", %d never started", never)
	}
	j.event(protocol.AgentEvent{Name: protocol.EventJobEnded, Job: j.params.Job, Message: message + "."})
	close(j.done)
}

// tickLoop calls each viewer once a second, and repairs gaps.
func (j *job) tickLoop(stop <-chan struct{}) {
	ticker := time.NewTicker(slotInterval)
	defer ticker.Stop()
	startTime := time.Now()
	pauses := monotonic.NewPauses(slotInterval, 0)
	readUntil := time.Duration(0)
	for slot := 0; ; slot = (slot + 1) % slotsPerSecond {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		passed := time.Since(startTime)
		if _, paused := pauses.Check(passed); paused {
			// What arrived meanwhile is read first: its viewers were not silent.
			readUntil = passed + time.Second
			j.resumed()
		}
		j.group.Tick(j.now())
		if passed < readUntil {
			continue
		}
		for i := slot; i < len(j.viewerStates); i += slotsPerSecond {
			j.tickViewer(i)
		}
	}
}

// resumed tells the viewers that this process did not run, so that their timeouts start anew.
func (j *job) resumed() {
	var resumers []viewer.Resumer
	j.mutex.Lock()
	for i := range j.viewerStates {
		if v, ok := j.viewerStates[i].viewer.(viewer.Resumer); ok {
			resumers = append(resumers, v)
		}
	}
	j.mutex.Unlock()
	for _, v := range resumers {
		v.Resumed(j.now())
	}
}

func (j *job) tickViewer(i int) {
	j.mutex.Lock()
	m := &j.viewerStates[i]
	playing := m.viewer != nil && !m.handshaking && (m.state == protocol.ViewerConnecting || m.state == protocol.ViewerConnected)
	client := m.viewer
	j.mutex.Unlock()
	if !playing {
		return
	}
	f := client.Tick(j.now())
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if f != nil {
		j.fail(i, f)
		return
	}
	j.replaceIfDue(i)
}
