package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/signalling"
)

const (
	// endedSamples is in how many samples a publication is still included after it ended.
	endedSamples = 5
	// maxPublications bounds the load that a mistake can cause on a server.
	maxPublications = 64
)

// Publications are all publications of an agent.
type Publications struct {
	samples string
	event   func(protocol.Event)

	mutex  sync.Mutex
	list   []*Publication
	closed bool
}

// New makes publications of the samples in a folder; empty for none.
func New(samples string, event func(protocol.Event)) *Publications {
	return &Publications{samples: samples, event: event}
}

// Protocols are the supported ones; none without samples.
func (p *Publications) Protocols() []string {
	if p.samples == "" {
		return nil
	}
	return []string{string(protocol.PublishProtocolWHIP), string(protocol.PublishProtocolRTMP)}
}

// Publish starts a publication. Samples and events report its state.
func (p *Publications) Publish(params protocol.AudiencePublishParams) (protocol.AudiencePublishResult, error) {
	result := protocol.AudiencePublishResult{Job: params.Job, Warnings: []string{}}
	if params.Job == "" || len(params.Job) > protocol.AudiencePublishJobMax {
		return result, control.BadRequest("job must be a name of 1 to %d characters.", protocol.AudiencePublishJobMax)
	}
	var publish publisher
	var err error
	switch params.Protocol {
	case protocol.PublishProtocolWHIP:
		publish, err = p.whip(params, &result)
	case protocol.PublishProtocolRTMP:
		publish, err = p.rtmp(params, &result)
	default:
		err = control.BadRequest("protocol is %q; this agent publishes over whip and rtmp.", params.Protocol)
	}
	if err != nil {
		return result, err
	}
	return result, p.add(params, publish)
}

func (p *Publications) add(params protocol.AudiencePublishParams, publish publisher) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return control.Errorf("shutting-down", "The agent is shutting down.")
	}
	var kept []*Publication
	running := 0
	for _, other := range p.list {
		switch {
		case !other.hasEnded() && other.job == params.Job:
			return control.Errorf("duplicate-job", "Job %q is already publishing. Stop it first or choose another name.", params.Job)
		case other.job == params.Job:
			continue
		case !other.hasEnded():
			running++
		}
		kept = append(kept, other)
	}
	if running == maxPublications {
		return control.Errorf("too-many-publications", "This agent is already publishing its maximum of %d streams.", maxPublications)
	}
	p.list = append(kept, startPublication(params.Job, params.Protocol, publish, p.event))
	return nil
}

func (p *Publications) whip(
	params protocol.AudiencePublishParams, result *protocol.AudiencePublishResult,
) (publisher, error) {
	target, err := url.Parse(params.URL)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return nil, control.BadRequest("The address of the stream is not a WHIP address; expected http://HOST:PORT/PATH.")
	}
	sample, err := p.SampleOf(params.Sample)
	if err != nil {
		return nil, err
	}
	if params.BearerToken != "" && signalling.IsOpen(target) {
		result.Warnings = append(result.Warnings, fmt.Sprintf("The token is sent to %s unencrypted: the address is http.", target.Host))
	}
	return overWHIP(target, params, sample)
}

func (p *Publications) rtmp(
	params protocol.AudiencePublishParams, result *protocol.AudiencePublishResult,
) (publisher, error) {
	address, err := rtmp.ParseAddress(params.URL)
	if err != nil {
		return nil, control.BadRequest("Invalid RTMP address: %v.", err)
	}
	if params.BearerToken != "" {
		return nil, control.BadRequest("RTMP has no bearer token. Append the key to the stream name.")
	}
	video, err := loaded(p, params.Sample, media.LoadVideo)
	if err != nil {
		return nil, err
	}
	result.Warnings = append(result.Warnings, "Over RTMP the sample is published without audio: its audio is Opus, and RTMP requires AAC.")
	return overRTMP(address, video), nil
}

func loaded[S any](p *Publications, name string, load func(folder, name string) (S, error)) (sample S, err error) {
	if name == "" {
		return sample, control.BadRequest("The name of the sample is empty.")
	}
	if p.samples == "" && name == filepath.Base(name) {
		return sample, control.Errorf("no-sample", "This agent was started without samples. Start it with --samples FOLDER.")
	}
	sample, err = load(p.samples, name)
	switch {
	case errors.Is(err, media.ErrNotVideo):
		return sample, control.BadRequest("%v.", err)
	case errors.Is(err, fs.ErrNotExist):
		return sample, control.Errorf("no-sample", "Sample %q does not exist; the samples' folder is %q.", name, p.samples)
	case err != nil:
		return sample, control.Errorf("no-sample", "Loading the sample %q failed: %v.", name, err)
	}
	return sample, nil
}

// SampleOf loads a sample by its name, or by the path of a file.
func (p *Publications) SampleOf(name string) (*media.Sample, error) {
	return loaded(p, name, media.Load)
}

// End starts to end a publication.
func (p *Publications) End(params protocol.AudienceUnpublishParams) (protocol.AudienceUnpublishResult, error) {
	for _, one := range p.all() {
		if one.job == params.Job {
			one.leave(params.Force)
			return protocol.AudienceUnpublishResult{Job: params.Job}, nil
		}
	}
	return protocol.AudienceUnpublishResult{}, control.Errorf("no-job", "No publication %q exists.", params.Job)
}

func (p *Publications) all() []*Publication {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]*Publication(nil), p.list...)
}

// Running reports whether a job of that name publishes.
func (p *Publications) Running(job string) bool {
	for _, one := range p.all() {
		if one.job == job && !one.hasEnded() {
			return true
		}
	}
	return false
}

// Sample ends the interval of each.
func (p *Publications) Sample(interval time.Duration) []protocol.Publication {
	var views []protocol.Publication
	for _, one := range p.all() {
		if v, shows := one.view(interval); shows {
			views = append(views, v)
		}
	}
	return views
}

// EndAll starts to end all.
func (p *Publications) EndAll(force bool) {
	for _, one := range p.all() {
		one.leave(force)
	}
}

// Remaining is how many have not ended.
func (p *Publications) Remaining() int {
	left := 0
	for _, one := range p.all() {
		if !one.hasEnded() {
			left++
		}
	}
	return left
}

// Close ends all without closing sessions at the servers, and waits for it.
func (p *Publications) Close() {
	p.mutex.Lock()
	p.closed = true
	p.mutex.Unlock()
	p.EndAll(true)
	for _, one := range p.all() {
		<-one.done
	}
}
