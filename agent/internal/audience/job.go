package audience

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

const (
	// leaveParallel is how many viewers say goodbye at once.
	leaveParallel = 64
	// deletePatience is how long a server may take for one goodbye.
	deletePatience = 3 * time.Second
	// leastRateShare of the asked rate is reached, or it is said.
	leastRateShare = 0.9
	// pulseTick times pulseSlots is one second: each viewer has its report second at a place of its own, so that
	// a thousand reports do not leave in one burst.
	pulseTick  = 20 * time.Millisecond
	pulseSlots = 50
)

// member is one viewer of a job. The job's mutex guards it.
type member struct {
	viewer    viewer.Viewer
	state     State
	arrivedAt int64
	present   bool
	// handshaking is true until Connect returned; nobody else may end the viewer before.
	handshaking bool
	last        viewer.Reading
	window      stats.Window
	fps         float64
	degraded    string
	failure     *failure.Failure
	history     history
	// leavingAt is when it failed or was told to leave, leftAt when it had left; 0 before.
	leavingAt, leftAt int64
	detail            *viewer.Detail // of a viewer that has left, for who asks for it afterwards
}

// job plays one audience from the first arrival to the last goodbye.
type job struct {
	params      StartParams
	perSecond   float64
	holdFor     time.Duration
	parallel    int
	crowd       viewer.Crowd
	event       func(link.Event)
	now         func() time.Time
	stopArrival context.CancelFunc // ends the ramp, the hold and the handshakes
	arrival     context.Context
	stopGoodbye context.CancelFunc // ends offers and DELETEs under way
	goodbye     context.Context
	leaveSlots  chan struct{}
	work        sync.WaitGroup
	done        chan struct{} // closed when ended

	mutex         sync.Mutex
	state         JobState
	force         bool
	members       []member
	arrived       int
	firstArrival  time.Time
	lastArrival   time.Time
	failures      []FailureView
	goodbyeErrors int
	goodbyeError  error
	endedSamples  int
	overflowed    uint64 // packets dropped at our own sockets
	told          ofMachine
}

// start begins the job; it ends by itself after the hold, or by stop.
func (j *job) start() {
	j.arrival, j.stopArrival = context.WithCancel(context.Background())
	j.goodbye, j.stopGoodbye = context.WithCancel(context.Background())
	j.leaveSlots = make(chan struct{}, leaveParallel)
	j.done = make(chan struct{})
	j.state = JobArriving
	j.members = make([]member, j.params.Viewers)
	for i := range j.members {
		j.members[i].state = Waiting
	}
	go j.run()
}

func (j *job) run() {
	pulsed := make(chan struct{})
	stopPulse := make(chan struct{})
	go func() { defer close(pulsed); j.pulseLoop(stopPulse) }()
	j.ramp()
	j.hold()
	j.leave()
	j.work.Wait()
	close(stopPulse)
	<-pulsed
	j.stopGoodbye()
	j.end()
}

// ramp lets the viewers arrive at the asked rate, at most `parallel` handshakes at once.
func (j *job) ramp() {
	slots := make(chan struct{}, j.parallel)
	pace := newPace(j.perSecond, j.now())
	for i := range j.members {
		for {
			wait := pace.wait(j.now())
			if wait == 0 {
				break
			}
			if !sleep(j.arrival, wait) {
				return
			}
		}
		select {
		case slots <- struct{}{}:
		case <-j.arrival.Done():
			return
		}
		if !j.arrive(i) {
			return
		}
		go func() {
			defer j.work.Done()
			j.connect(i)
			<-slots
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

// arrive marks the next viewer as come; false when the job is stopping.
func (j *job) arrive(i int) bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state != JobArriving {
		return false
	}
	now := j.now()
	if j.arrived == 0 {
		j.firstArrival = now
	}
	j.lastArrival = now
	j.arrived++
	j.members[i] = member{viewer: j.crowd.New(), state: Connecting, arrivedAt: now.UnixNano(), present: true, handshaking: true}
	j.work.Add(1) // here, under the mutex, and never after the state is leaving
	return true
}

func (j *job) connect(i int) {
	f := j.members[i].viewer.Connect(j.arrival, j.goodbye)
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.members[i].handshaking = false
	switch {
	case j.arrival.Err() != nil:
		j.depart(i) // the job is stopping, which is no failure of the viewer
	case f != nil:
		j.fail(i, f)
	}
}

// allHere ends the ramp, and has a sentence for a rate that was not reached.
func (j *job) allHere() (warning string) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state != JobArriving || j.arrived != len(j.members) {
		return ""
	}
	j.state = JobHolding
	if achieved := j.achieved(); j.arrived > 1 && achieved < leastRateShare*j.perSecond {
		return fmt.Sprintf("The viewers arrived at %.0f/s instead of %.0f/s: with %d handshakes at once, the server or this machine did not finish them faster.",
			achieved, j.perSecond, j.parallel)
	}
	return ""
}

// hold waits until the time is over or the job is stopped.
func (j *job) hold() {
	if warning := j.allHere(); warning != "" {
		j.event(link.Event{Name: "warning", Job: j.params.Job, Message: warning})
	}
	if j.holdFor == 0 {
		<-j.arrival.Done()
		return
	}
	sleep(j.arrival, j.holdFor)
}

// leave sends everybody home who has come.
func (j *job) leave() {
	j.mutex.Lock()
	j.state = JobLeaving
	j.mutex.Unlock()
	j.stopArrival() // handshakes under way end and depart by themselves
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for i := range j.members {
		if !j.members[i].handshaking {
			j.depart(i)
		}
	}
}

// stop begins to end the job and tells how many are still there. With force nobody says goodbye.
func (j *job) stop(force bool) (left int) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state != JobEnded {
		if force {
			j.force = true
			j.stopGoodbye()
		}
		j.stopArrival()
	}
	return j.presentNow()
}

func (j *job) presentNow() int {
	count := 0
	for i := range j.members {
		if j.members[i].present {
			count++
		}
	}
	return count
}

func (j *job) end() {
	j.mutex.Lock()
	j.state = JobEnded
	left, failed, never := 0, 0, 0
	for i := range j.members {
		switch j.members[i].state {
		case Left:
			left++
		case Failed:
			failed++
		case Waiting:
			never++
		}
	}
	errors, example, overflowed := j.goodbyeErrors, j.goodbyeError, j.overflowed
	j.mutex.Unlock()
	if errors > 0 {
		j.event(link.Event{Name: "warning", Job: j.params.Job, Message: fmt.Sprintf("%d viewers could not say goodbye to the server; the last one: %v.", errors, example)})
	}
	if overflowed > 0 {
		j.event(link.Event{Name: "warning", Job: j.params.Job, Message: fmt.Sprintf("%d packets of this job were dropped at the viewers' own sockets: the tester was too slow for them.", overflowed)})
	}
	message := fmt.Sprintf("The job ended: %d viewers left, %d had failed", left, failed)
	if never > 0 {
		message += fmt.Sprintf(", %d had not come yet", never)
	}
	j.event(link.Event{Name: "job-ended", Job: j.params.Job, Message: message + "."})
	close(j.done)
}

// pulseLoop gives each viewer its second, and repairs gaps.
func (j *job) pulseLoop(stop <-chan struct{}) {
	ticker := time.NewTicker(pulseTick)
	defer ticker.Stop()
	for slot := 0; ; slot = (slot + 1) % pulseSlots {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		j.crowd.Tick(j.now())
		for i := slot; i < len(j.members); i += pulseSlots {
			j.pulse(i)
		}
	}
}

func (j *job) pulse(i int) {
	j.mutex.Lock()
	m := &j.members[i]
	playing := !m.handshaking && (m.state == Connecting || m.state == Connected)
	client := m.viewer
	j.mutex.Unlock()
	if !playing {
		return
	}
	if f := client.Pulse(j.now()); f != nil {
		j.mutex.Lock()
		defer j.mutex.Unlock()
		j.fail(i, f)
	}
}
