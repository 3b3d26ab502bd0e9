package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/signalling"
)

const (
	// endedSamples is in how many samples a publication still shows after it ended.
	endedSamples = 5
	// mostPublications bounds what a mistake can do to a server.
	mostPublications = 64
)

// Params ask for a publication.
type Params struct {
	Job         string `json:"job"`
	Protocol    string `json:"protocol"`
	URL         string `json:"url"`
	Sample      string `json:"sample"`
	BearerToken string `json:"bearerToken,omitempty"`
	// AllowCrossOrigin lets a WHIP server name its session on another origin, and redirect there.
	AllowCrossOrigin bool `json:"allowCrossOrigin,omitempty"`
}

// Result confirms it.
type Result struct {
	Job      string   `json:"job"`
	Warnings []string `json:"warnings"`
}

// EndParams name the one to end.
type EndParams struct {
	Job   string `json:"job"`
	Force bool   `json:"force,omitempty"`
}

// EndResult names it.
type EndResult struct {
	Job string `json:"job"`
}

// Publications are all of an agent.
type Publications struct {
	samples string
	event   func(link.Event)

	mutex  sync.Mutex
	list   []*Publication
	closed bool
}

// New makes the room for publications of the samples in a folder; empty when there are none.
func New(samples string, event func(link.Event)) *Publications {
	return &Publications{samples: samples, event: event}
}

// Protocols are those by which it can publish; none without samples.
func (p *Publications) Protocols() []string {
	if p.samples == "" {
		return nil
	}
	return []string{"whip", "rtmp"}
}

// Publish begins a publication. Its course is told by samples and events.
func (p *Publications) Publish(params Params) (Result, error) {
	result := Result{Job: params.Job, Warnings: []string{}}
	if params.Job == "" || len(params.Job) > 200 {
		return result, link.BadRequest("A job needs a name of 1 to 200 characters.")
	}
	var publish protocol
	var err error
	switch params.Protocol {
	case "whip":
		publish, err = p.whip(params, &result)
	case "rtmp":
		publish, err = p.rtmp(params, &result)
	default:
		err = link.BadRequest("The protocol %q is not published by this agent; it publishes by whip and rtmp.", params.Protocol)
	}
	if err != nil {
		return result, err
	}
	return result, p.add(params, publish)
}

func (p *Publications) add(params Params, publish protocol) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return link.Errorf("shutting-down", "The agent is shutting down.")
	}
	var kept []*Publication
	running := 0
	for _, other := range p.list {
		switch {
		case !other.hasEnded() && other.job == params.Job:
			return link.Errorf("duplicate-job", "A job named %q publishes already; end it first or choose another name.", params.Job)
		case other.job == params.Job:
			continue
		case !other.hasEnded():
			running++
		}
		kept = append(kept, other)
	}
	if running == mostPublications {
		return link.Errorf("too-many-publications", "This agent publishes %d streams at most, and they are under way.", mostPublications)
	}
	p.list = append(kept, begin(params.Job, params.Protocol, publish, p.event))
	return nil
}

func (p *Publications) whip(params Params, result *Result) (protocol, error) {
	target, err := url.Parse(params.URL)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return nil, link.BadRequest("The address of the stream is no WHIP address; it must look like http://HOST:PORT/PATH.")
	}
	sample, err := loaded(p, params.Sample, media.LoadSample)
	if err != nil {
		return nil, err
	}
	if params.BearerToken != "" && signalling.IsOpen(target) {
		result.Warnings = append(result.Warnings, fmt.Sprintf("The token goes to %s unencrypted, because the address is http.", target.Host))
	}
	return byWHIP(target, params, sample)
}

func (p *Publications) rtmp(params Params, result *Result) (protocol, error) {
	address, err := rtmp.ParseAddress(params.URL)
	if err != nil {
		return nil, link.BadRequest("The address of the stream is no RTMP address: %v.", err)
	}
	if params.BearerToken != "" {
		return nil, link.BadRequest("RTMP has no bearer token; put the key into the stream's name.")
	}
	video, err := loaded(p, params.Sample, media.LoadVideo)
	if err != nil {
		return nil, err
	}
	result.Warnings = append(result.Warnings, "By RTMP the sample is published without sound: its audio is Opus, and RTMP wants AAC.")
	return byRTMP(address, video), nil
}

func loaded[S any](p *Publications, name string, load func(folder, name string) (S, error)) (sample S, err error) {
	if name == "" || name != filepath.Base(name) {
		return sample, link.BadRequest("%q is no name of a sample.", name)
	}
	if p.samples == "" {
		return sample, link.Errorf("no-sample", "This agent was started without samples; start it with --samples FOLDER.")
	}
	sample, err = load(p.samples, name)
	if errors.Is(err, fs.ErrNotExist) {
		return sample, link.Errorf("no-sample", "There is no sample named %q in %s.", name, p.samples)
	}
	if err != nil {
		return sample, link.Errorf("no-sample", "The sample %q can't be used: %v.", name, err)
	}
	return sample, nil
}

// End begins to end a publication.
func (p *Publications) End(params EndParams) (EndResult, error) {
	for _, one := range p.all() {
		if one.job == params.Job {
			one.leave(params.Force)
			return EndResult{Job: params.Job}, nil
		}
	}
	return EndResult{}, link.Errorf("no-job", "Nothing is published by a job named %q.", params.Job)
}

func (p *Publications) all() []*Publication {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]*Publication(nil), p.list...)
}

// Running tells whether a job of that name publishes.
func (p *Publications) Running(job string) bool {
	for _, one := range p.all() {
		if one.job == job && !one.hasEnded() {
			return true
		}
	}
	return false
}

// Sample ends the interval of each.
func (p *Publications) Sample(interval time.Duration) []View {
	var views []View
	for _, one := range p.all() {
		if v, shows := one.view(interval); shows {
			views = append(views, v)
		}
	}
	return views
}

// EndAll begins to end all.
func (p *Publications) EndAll(force bool) {
	for _, one := range p.all() {
		one.leave(force)
	}
}

// Left is how many have not ended.
func (p *Publications) Left() int {
	left := 0
	for _, one := range p.all() {
		if !one.hasEnded() {
			left++
		}
	}
	return left
}

// Close ends all without a goodbye and waits for it.
func (p *Publications) Close() {
	p.mutex.Lock()
	p.closed = true
	p.mutex.Unlock()
	p.EndAll(true)
	for _, one := range p.all() {
		<-one.done
	}
}
