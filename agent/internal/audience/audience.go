// Package audience is the role that pulls streams: jobs of many viewers, their ramp-up, measurements and teardown. It
// can also publish, so that a stream to pull exists.
package audience

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/publish"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/tester"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep/dtlssrtp"
	"fullhouse/agent/internal/whep/hosts"
)

// reservedFiles are descriptors reserved for HTTP, the engine's connections and the runtime.
const reservedFiles = 256

// Config is what the audience gets from outside.
type Config struct {
	// Event records an event.
	Event func(protocol.AgentEvent)
	// OpenFiles is the process's limit of descriptors, 0 if unlimited.
	OpenFiles uint64
	// Samples is the folder with the files to publish; empty for none.
	Samples string
	// Memory is how much the agent may use, in bytes; 0 for the default of this machine.
	Memory uint64
	// memoryUsed is how much it uses; nil for a measurement.
	memoryUsed func() uint64
	// Reader is how datagrams are received; empty for the least expensive that works.
	Reader udpreader.Reader
}

// Audience is the role.
type Audience struct {
	config      Config
	limit       limit
	loop        udpreader.Loop
	streams     tcpreader.Streams
	certificate dtlssrtp.Certificate
	published   *publish.Publications
	machine     machine
	shapers     shapers
	memory      memoryGuard
	hosts       hosts.Hosts // that servers name besides themselves

	naming sync.Mutex // held while a name is looked up and taken
	mutex  sync.Mutex
	jobs   []*job // in order of start; ended ones are kept for audience.viewers until their name is used again
	closed bool
}

// gcPercent trades a little CPU, and only while viewers connect and disconnect, for memory that the viewers need.
const gcPercent = 50

// New makes an audience without viewers.
func New(config Config) (*Audience, error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	certificate, err := dtlssrtp.NewCertificate()
	if err != nil {
		return nil, err
	}
	loop, err := openLoop(config.Reader)
	if err != nil {
		return nil, fmt.Errorf("receiving is not possible: %w", err)
	}
	streams, err := tcpreader.New()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("receiving is not possible: %w", err), loop.Close())
	}
	a := &Audience{config: config, limit: viewersLimit(config.OpenFiles), loop: loop, streams: streams, certificate: certificate,
		machine: newMachine(loop, streams)}
	a.published = publish.New(publish.Config{Samples: config.Samples, Event: config.Event, Loop: loop, Certificate: certificate, Hosts: &a.hosts})
	a.memory.used = config.memoryUsed
	a.memory.start(cmp.Or(config.Memory, tester.DefaultMemory("")), a.outOfMemory)
	return a, nil
}

func openLoop(reader udpreader.Reader) (udpreader.Loop, error) {
	if reader == "" {
		return udpreader.New()
	}
	return udpreader.NewOf(reader)
}

// Name is the role's name.
func (a *Audience) Name() string { return "audience" }

// Announcement lists the protocols, the limit and the reader.
func (a *Audience) Announcement() control.Announcement {
	return control.Announcement{Protocols: supportedNames(), Publishes: a.published.Protocols(), Viewers: a.limit.viewers, Reader: string(a.loop.Reader()),
		Unmeasured: tester.Unmeasured(tester.Config{})}
}

// Call handles the calls of the audience.
func (a *Audience) Call(_ context.Context, name string, params json.RawMessage) (any, error) {
	switch name {
	case "audience.start":
		return decoded(params, a.start)
	case "audience.stop":
		return decoded(params, func(p protocol.AudienceStopParams) (protocol.Present, error) {
			j, err := a.find(p.Job)
			if err != nil {
				return protocol.Present{}, err
			}
			return protocol.Present{Present: j.stop(p.Force)}, nil
		})
	case "audience.viewers":
		return decoded(params, a.viewers)
	case "audience.viewer":
		return decoded(params, a.viewer)
	case "audience.publish":
		return decoded(params, a.publish)
	case "audience.publishers":
		return decoded(params, a.published.Publishers)
	case "audience.unpublish":
		return decoded(params, a.published.End)
	}
	return nil, control.UnknownCall(a.Name(), name)
}

func decoded[P, R any](raw json.RawMessage, call func(P) (R, error)) (any, error) {
	var params P
	if err := control.DecodeParams(raw, &params); err != nil {
		return nil, err
	}
	return call(params)
}

func (a *Audience) start(params protocol.AudienceStartParams) (protocol.AudienceStartResult, error) {
	if err := checkStart(params); err != nil {
		return protocol.AudienceStartResult{}, err
	}
	network, err := a.network(params)
	if err != nil {
		return protocol.AudienceStartResult{}, err
	}
	group, warnings, err := a.group(params, network)
	if err != nil {
		return protocol.AudienceStartResult{}, err
	}
	j := a.plan(params)
	j.group, j.network = group, network
	a.naming.Lock()
	defer a.naming.Unlock()
	if a.published.Running(params.Job) {
		return protocol.AudienceStartResult{}, control.Errorf("duplicate-job",
			"Job %q is already publishing. Stop it first or choose another name.", params.Job)
	}
	if err := a.add(j); err != nil {
		return protocol.AudienceStartResult{}, err
	}
	return protocol.AudienceStartResult{Job: params.Job, Viewers: params.Viewers,
		Warnings: append(networkWarnings(params), warnings...)}, nil
}

// publish starts a publication. Events name jobs of either kind, so both share their names.
func (a *Audience) publish(params protocol.AudiencePublishParams) (protocol.AudiencePublishResult, error) {
	if err := a.checkPublishers(params); err != nil {
		return protocol.AudiencePublishResult{}, err
	}
	if f := a.memory.failure(); f != nil {
		return protocol.AudiencePublishResult{}, control.Errorf(f.Cause.String(), "%s", f.Detail)
	}
	prepared, err := a.published.Prepare(params)
	if err != nil {
		return protocol.AudiencePublishResult{}, err
	}
	a.naming.Lock()
	defer a.naming.Unlock()
	if j, err := a.find(params.Job); err == nil && !j.ended() {
		return protocol.AudiencePublishResult{}, control.Errorf("duplicate-job",
			"Job %q is already running. Stop it first or choose another name.", params.Job)
	}
	if err := a.checkPublishers(params); err != nil {
		return protocol.AudiencePublishResult{}, err
	}
	return a.published.Start(prepared)
}

func (a *Audience) plan(params protocol.AudienceStartParams) *job {
	return &job{params: params, perSecond: params.RatePerSecond,
		holdFor:  time.Duration(params.HoldMs) * time.Millisecond,
		parallel: orDefault(params.Parallel, protocol.AudienceStartParallelDefault), event: a.config.Event, memory: &a.memory,
		now: monotonic.Now}
}

// add starts a job if its name is free and its viewers fit the limit.
func (a *Audience) add(j *job) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.closed {
		return control.Errorf("shutting-down", "The agent is shutting down.")
	}
	inUse, processes, remaining := 0, a.published.Processes(), make([]*job, 0, len(a.jobs)+1)
	for _, other := range a.jobs {
		ended := other.ended()
		switch {
		case other.params.Job == j.params.Job && !ended:
			return control.Errorf("duplicate-job", "Job %q is already running. Stop it first or choose another name.", j.params.Job)
		case other.params.Job == j.params.Job:
			continue
		case !ended:
			inUse += other.params.Viewers
			processes += other.processes()
		}
		remaining = append(remaining, other)
	}
	if inUse+j.params.Viewers > a.limit.viewers {
		return control.Errorf("too-many-viewers", "%s", a.limit.refusal(j.params.Viewers, inUse))
	}
	if err := checkProcesses(j.processes(), processes); err != nil {
		return err
	}
	a.jobs = append(dropOldest(remaining), j)
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
	return nil, control.Errorf("no-job", "Job %q does not exist.", name)
}

func (a *Audience) all() []*job {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return append([]*job(nil), a.jobs...)
}

func (a *Audience) viewers(params protocol.AudienceViewersParams) (protocol.AudienceViewersResult, error) {
	if params.Offset < 0 || params.Limit < 1 || params.Limit > protocol.AudienceViewersLimitMax {
		return protocol.AudienceViewersResult{}, control.BadRequest(
			"offset must be 0 or more and limit 1 to %d; they are %d and %d.",
			protocol.AudienceViewersLimitMax, params.Offset, params.Limit)
	}
	switch params.State {
	case "", protocol.ViewerWaiting, protocol.ViewerConnecting, protocol.ViewerConnected, protocol.ViewerFailed,
		protocol.ViewerDisconnecting, protocol.ViewerDisconnected:
	default:
		return protocol.AudienceViewersResult{}, control.BadRequest("state is %q, which no viewer can have.", params.State)
	}
	j, err := a.find(params.Job)
	if err != nil {
		return protocol.AudienceViewersResult{}, err
	}
	return j.views(params), nil
}

// Sample is the audience's sample of one second.
func (a *Audience) Sample(of protocol.ProcessSample, interval time.Duration) any {
	sample := protocol.AudienceSample{Process: of, Jobs: []protocol.JobSample{},
		Publications: a.published.Sample(interval)}
	for _, j := range a.all() {
		if one, shows := j.sample(interval); shows {
			sample.Jobs = append(sample.Jobs, one)
		}
		a.machine.add(j.localCauses())
	}
	if sample.Tester = a.machine.sample(of.OpenFiles, a.config.OpenFiles, len(sample.Jobs) > 0); sample.Tester != nil {
		a.memory.fill(sample.Tester)
	}
	return sample
}

// StopAll starts to end all jobs of viewers. Publications stay: the next job may pull them.
func (a *Audience) StopAll(force bool) (remaining int) {
	for _, j := range a.all() {
		remaining += j.stop(force)
	}
	return remaining
}

// DisconnectAll starts to end all jobs and all publications.
func (a *Audience) DisconnectAll(force bool) (remaining int) {
	a.published.EndAll(force)
	return a.StopAll(force)
}

// Remaining is how many viewers still hold a session or a socket, at least 1 while a job or a publication has not
// ended.
func (a *Audience) Remaining() int {
	left := a.published.Remaining()
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
	return j.presentLocked()
}

// Close ends what remains without closing sessions at the server.
func (a *Audience) Close() error {
	a.mutex.Lock()
	a.closed = true
	a.mutex.Unlock()
	a.memory.close()
	a.StopAll(true)
	for _, j := range a.all() {
		<-j.done
	}
	a.published.Close()
	a.shapers.close()
	return errors.Join(a.loop.Close(), a.streams.Close())
}
