// Package audience is the role that pulls streams: jobs of many viewers, their arrival, their figures and their
// leaving. It can also publish, so that there is a stream to pull.
package audience

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/publish"
	"fullhouse/agent/internal/steady"
	"fullhouse/agent/internal/whep/secure"
)

// reservedFiles are descriptors kept for HTTP, the engine's connections and the runtime.
const reservedFiles = 256

// Config is what the audience needs from outside.
type Config struct {
	// Event records an event.
	Event func(link.Event)
	// OpenFiles is the process's limit of descriptors, 0 where there is none.
	OpenFiles uint64
	// Samples is the folder with the files to publish; empty when there are none.
	Samples string
	// Reader is how datagrams are received; empty for the cheapest that works.
	Reader harvest.Reader
}

// Audience is the role.
type Audience struct {
	config      Config
	limit       limit
	loop        harvest.Loop
	streams     harvest.Streams
	certificate secure.Certificate
	published   *publish.Publications
	machine     machine

	naming sync.Mutex // held while a name is looked up and taken
	mutex  sync.Mutex
	jobs   []*job // in order of their start; ended ones are kept for audience.viewers until their name is used again
	closed bool
}

// gcPercent trades a little of the processor, and that only while viewers come and go, for memory that a tester's viewers need.
const gcPercent = 50

// New makes an audience without viewers.
func New(config Config) (*Audience, error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	certificate, err := secure.NewCertificate()
	if err != nil {
		return nil, err
	}
	loop, err := openLoop(config.Reader)
	if err != nil {
		return nil, fmt.Errorf("the audience can't receive: %w", err)
	}
	streams, err := harvest.NewStreams()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the audience can't receive: %w", err), loop.Close())
	}
	return &Audience{config: config, limit: viewersLimit(config.OpenFiles), loop: loop, streams: streams, certificate: certificate,
		published: publish.New(config.Samples, config.Event),
		machine:   newMachine(loop, streams)}, nil
}

func openLoop(reader harvest.Reader) (harvest.Loop, error) {
	if reader == "" {
		return harvest.New()
	}
	return harvest.NewOf(reader)
}

// Name is the role's name.
func (a *Audience) Name() string { return "audience" }

// Announcement tells the protocols, the limit and the reader.
func (a *Audience) Announcement() link.Announcement {
	return link.Announcement{Protocols: protocols, Publishes: a.published.Protocols(), Viewers: a.limit.viewers, Reader: string(a.loop.Reader())}
}

// Call answers the calls of the audience.
func (a *Audience) Call(_ context.Context, name string, params json.RawMessage) (any, error) {
	switch name {
	case "audience.start":
		return decoded(params, a.start)
	case "audience.stop":
		return decoded(params, func(p StopParams) (link.LeftResult, error) {
			j, err := a.find(p.Job)
			if err != nil {
				return link.LeftResult{}, err
			}
			return link.LeftResult{Left: j.stop(p.Force)}, nil
		})
	case "audience.viewers":
		return decoded(params, a.viewers)
	case "audience.viewer":
		return decoded(params, a.viewer)
	case "audience.publish":
		return decoded(params, a.publish)
	case "audience.unpublish":
		return decoded(params, a.published.End)
	}
	return nil, link.UnknownCall(a.Name(), name)
}

func decoded[P, R any](raw json.RawMessage, call func(P) (R, error)) (any, error) {
	var params P
	if err := link.DecodeParams(raw, &params); err != nil {
		return nil, err
	}
	return call(params)
}

func (a *Audience) start(params StartParams) (StartResult, error) {
	if err := params.check(); err != nil {
		return StartResult{}, err
	}
	crowd, warnings, err := a.crowd(params)
	if err != nil {
		return StartResult{}, err
	}
	j := a.plan(params)
	j.crowd = crowd
	a.naming.Lock()
	defer a.naming.Unlock()
	if a.published.Running(params.Job) {
		return StartResult{}, link.Errorf("duplicate-job", "A job named %q publishes already; end it first or choose another name.", params.Job)
	}
	if err := a.add(j); err != nil {
		return StartResult{}, err
	}
	return StartResult{Job: params.Job, Viewers: params.Viewers, Warnings: append([]string{}, warnings...)}, nil
}

// publish begins a publication. Events name jobs of either kind, so both share their names.
func (a *Audience) publish(params publish.Params) (publish.Result, error) {
	a.naming.Lock()
	defer a.naming.Unlock()
	if j, err := a.find(params.Job); err == nil && !j.ended() {
		return publish.Result{}, link.Errorf("duplicate-job", "A job named %q is playing already; stop it first or choose another name.", params.Job)
	}
	return a.published.Publish(params)
}

func (a *Audience) plan(params StartParams) *job {
	j := &job{params: params, perSecond: params.RatePerSecond, holdFor: time.Duration(params.HoldMs) * time.Millisecond,
		parallel: defaultParallel, event: a.config.Event, now: steady.Now}
	if params.Parallel != nil {
		j.parallel = *params.Parallel
	}
	return j
}

// add starts a job when its name is free and there is room for its viewers.
func (a *Audience) add(j *job) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.closed {
		return link.Errorf("shutting-down", "The agent is shutting down.")
	}
	taken, kept := 0, make([]*job, 0, len(a.jobs)+1)
	for _, other := range a.jobs {
		ended := other.ended()
		switch {
		case other.params.Job == j.params.Job && !ended:
			return link.Errorf("duplicate-job", "A job named %q is playing already; stop it first or choose another name.", j.params.Job)
		case other.params.Job == j.params.Job:
			continue
		case !ended:
			taken += other.params.Viewers
		}
		kept = append(kept, other)
	}
	if taken+j.params.Viewers > a.limit.viewers {
		return link.Errorf("too-many-viewers", "%s", a.limit.refusal(j.params.Viewers, taken))
	}
	a.jobs = append(forgetOldest(kept), j)
	j.start()
	return nil
}

func (j *job) ended() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

func (a *Audience) find(name string) (*job, error) {
	for _, j := range a.all() {
		if j.params.Job == name {
			return j, nil
		}
	}
	return nil, link.Errorf("no-job", "There is no job named %q.", name)
}

func (a *Audience) all() []*job {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return append([]*job(nil), a.jobs...)
}

// mostListed viewers fit into one frame of the protocol.
const mostListed = 1000

func (a *Audience) viewers(params ViewersParams) (ViewersResult, error) {
	if params.Offset < 0 || params.Limit < 1 || params.Limit > mostListed {
		return ViewersResult{}, link.BadRequest("offset must be 0 or more and limit 1 to %d; they are %d and %d.", mostListed, params.Offset, params.Limit)
	}
	switch params.State {
	case "", Waiting, Connecting, Connected, Failed, Leaving, Left:
	default:
		return ViewersResult{}, link.BadRequest("%q is no state of a viewer.", params.State)
	}
	j, err := a.find(params.Job)
	if err != nil {
		return ViewersResult{}, err
	}
	return j.views(params), nil
}

// Sample makes the audience's second.
func (a *Audience) Sample(of process.Sample, interval time.Duration) any {
	sample := Sample{Process: of, Jobs: []JobSample{}, Publications: a.published.Sample(interval)}
	for _, j := range a.all() {
		if one, shows := j.sample(interval); shows {
			sample.Jobs = append(sample.Jobs, one)
		}
		a.machine.add(j.ofMachine())
	}
	sample.Tester = a.machine.sample(of.OpenFiles, a.config.OpenFiles, len(sample.Jobs) > 0)
	return sample
}

// StopAll begins to end all jobs of viewers. What is published stays: who stops a crowd may want to begin the next.
func (a *Audience) StopAll(force bool) (left int) {
	for _, j := range a.all() {
		left += j.stop(force)
	}
	return left
}

// DisconnectAll begins to end all jobs and all publications.
func (a *Audience) DisconnectAll(force bool) (left int) {
	a.published.EndAll(force)
	return a.StopAll(force)
}

// Left tells how many viewers still hold a session or a socket, at least 1 while a job or a publication has not ended.
func (a *Audience) Left() int {
	left := a.published.Left()
	for _, j := range a.all() {
		if !j.ended() {
			left += max(j.present(), 1)
		}
	}
	return left
}

func (j *job) present() int {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.presentNow()
}

// Close ends what is still there without a goodbye.
func (a *Audience) Close() error {
	a.mutex.Lock()
	a.closed = true
	a.mutex.Unlock()
	a.StopAll(true)
	for _, j := range a.all() {
		<-j.done
	}
	a.published.Close()
	return errors.Join(a.loop.Close(), a.streams.Close())
}
