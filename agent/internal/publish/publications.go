// Package publish sends samples to media servers: streams for tests when none is published, and publishers as load.
package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/ffmpeg/remux"
	"fullhouse/agent/internal/livekit"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep"
	"fullhouse/agent/internal/whep/dtlssrtp"
	"fullhouse/agent/internal/whep/hosts"
)

const (
	// endedSamples is in how many samples a job is still included after it ended.
	endedSamples = 5
	// defaultRate is that of the publishers of one job, per second.
	defaultRate = protocol.AudiencePublishRatePerSecondDefault
)

// Config is what publishers need.
type Config struct {
	// Samples is the folder of samples; empty for none.
	Samples string
	Event   func(protocol.AgentEvent)
	// Loop and Certificate are those of the viewers.
	Loop        udpreader.Loop
	Certificate dtlssrtp.Certificate
	// Hosts bounds what publishers send to other hosts that servers name, together with viewers.
	Hosts *hosts.Hosts
}

// Publications are all publishers of an agent.
type Publications struct {
	config  Config
	pacer   whep.Pacer
	loading sync.Mutex // held while a sample is loaded

	mutex  sync.Mutex
	list   []*job
	closed bool
}

// New makes publications of the samples in a folder; empty for none.
func New(config Config) *Publications {
	if config.Hosts == nil {
		config.Hosts = &hosts.Hosts{}
	}
	return &Publications{config: config}
}

// Protocols are the supported ones; none without samples.
func (p *Publications) Protocols() []string {
	if p.config.Samples == "" {
		return nil
	}
	return []string{string(protocol.PublishProtocolWHIP), string(protocol.PublishProtocolRTMP), string(protocol.PublishProtocolLiveKit),
		string(protocol.PublishProtocolRTSP), string(protocol.PublishProtocolSRT)}
}

// Prepared is a publication whose sample is loaded, and whose publishers have not started.
type Prepared struct {
	job    *job
	result protocol.AudiencePublishResult
}

// Prepare loads the sample of a publication. It takes as long as reading the file does, so no lock is held meanwhile;
// several samples are loaded one after the other, so that they don't need their memory at once.
func (p *Publications) Prepare(params protocol.AudiencePublishParams) (Prepared, error) {
	j, result, err := p.prepare(params)
	return Prepared{j, result}, err
}

// Start starts the publishers of a job. Samples and events report their state.
func (p *Publications) Start(prepared Prepared) (protocol.AudiencePublishResult, error) {
	return prepared.result, p.add(prepared.job)
}

func (p *Publications) prepare(params protocol.AudiencePublishParams) (*job, protocol.AudiencePublishResult, error) {
	result := protocol.AudiencePublishResult{Job: params.Job, Warnings: []string{}}
	targets := params.Targets
	switch {
	case params.Job == "" || len(params.Job) > protocol.AudiencePublishJobMax:
		return nil, result, control.BadRequest("job must be a name of 1 to %d characters.", protocol.AudiencePublishJobMax)
	case len(targets) == 0:
		targets = []protocol.PublishTarget{{URL: params.URL, BearerToken: params.BearerToken}}
	case params.URL != "" || params.BearerToken != "":
		return nil, result, control.BadRequest("Several publishers have targets instead of url and bearerToken.")
	case len(targets) > protocol.MaxPublishers:
		return nil, result, control.BadRequest("%d publishers are too many for one agent; the maximum is %d.", len(targets), protocol.MaxPublishers)
	}
	j := &job{name: params.Job, protocol: params.Protocol, isOne: len(params.Targets) == 0, event: p.config.Event, perSecond: defaultRate}
	if params.RatePerSecond != nil {
		if j.perSecond = *params.RatePerSecond; !(j.perSecond > 0) {
			return nil, result, control.BadRequest("ratePerSecond is %v; it must be above 0.", j.perSecond)
		}
	}
	prepare, err := p.preparation(params, &result)
	if err != nil {
		return nil, result, err
	}
	for _, target := range targets {
		publish, err := prepare(target)
		if err != nil {
			return nil, result, err
		}
		j.publishers = append(j.publishers, newPublisher(publish, j.report))
	}
	return j, result, nil
}

// preparation loads the sample once, for all publishers of a job.
func (p *Publications) preparation(params protocol.AudiencePublishParams, result *protocol.AudiencePublishResult) (prepare func(protocol.PublishTarget) (publishing, error), err error) {
	isOverWebRTC := params.Protocol == protocol.PublishProtocolWHIP || params.Protocol == protocol.PublishProtocolLiveKit
	if len(params.Simulcast) > 0 && !isOverWebRTC {
		return nil, control.BadRequest("Simulcast is published over WHIP and LiveKit only, not over %s.", params.Protocol)
	}
	if params.Login != nil && params.Protocol != protocol.PublishProtocolWHIP {
		return nil, control.BadRequest("%s has no login: leave it out.", params.Protocol)
	}
	switch params.Protocol {
	case protocol.PublishProtocolRTMP:
		video, err := loaded(p, params.Sample, media.LoadVideo)
		if err != nil {
			return nil, err
		}
		if len(video.Audio) == 0 {
			result.Warnings = append(result.Warnings, "Over RTMP the sample is published without audio: RTMP requires AAC, which .h264, .h265 and .ivf files do not have.")
		}
		messages := picturesOf(video)
		return func(target protocol.PublishTarget) (publishing, error) {
			return overRTMP(target, messages, params.SelfSigned)
		}, nil
	case protocol.PublishProtocolRTSP, protocol.PublishProtocolSRT:
		scheme := string(params.Protocol)
		path, err := findFFmpeg(scheme)
		if err != nil {
			return nil, err
		}
		video, err := loaded(p, params.Sample, media.LoadVideo)
		if err != nil {
			return nil, err
		}
		if len(video.Audio) == 0 {
			result.Warnings = append(result.Warnings, fmt.Sprintf("Over %s the sample is published without audio, which must be AAC, as in MP4 files.", strings.ToUpper(scheme)))
		}
		messages := picturesOf(video)
		return func(target protocol.PublishTarget) (publishing, error) {
			return overProcess(path, scheme, target, messages)
		}, nil
	case protocol.PublishProtocolWHIP, protocol.PublishProtocolLiveKit:
		sample, err := p.SampleOf(params.Sample)
		if err != nil {
			return nil, err
		}
		if sample.Remark != "" {
			result.Warnings = append(result.Warnings, sample.Remark)
		}
		smaller, err := p.smallerLayers(params.Simulcast, sample, &result.Warnings)
		if err != nil {
			return nil, err
		}
		warned := false
		return func(target protocol.PublishTarget) (publishing, error) {
			w, err := p.target(params, target, sample, smaller)
			if err != nil {
				return nil, err
			}
			if target.BearerToken != "" && signalling.IsOpen(w.endpoint) && !warned {
				warned = true
				result.Warnings = append(result.Warnings, fmt.Sprintf("The token is sent to %s unencrypted: the address is neither https nor wss.", w.endpoint.Host))
			}
			if params.Login != nil && signalling.IsOpen(w.endpoint) && !warned {
				warned = true
				result.Warnings = append(result.Warnings, fmt.Sprintf("If %s requires a login, the password of the node is sent unencrypted: the address is not https.", w.endpoint.Host))
			}
			return w.publish, nil
		}, nil
	}
	return nil, control.BadRequest("protocol is %q; this agent publishes over whip, rtmp, livekit, rtsp and srt.", params.Protocol)
}

// webSocketSchemes are the schemes of HTTP by those of signalling over WebSocket.
var webSocketSchemes = map[string]string{"ws": "http", "http": "http", "wss": "https", "https": "https"}

func (p *Publications) target(params protocol.AudiencePublishParams, target protocol.PublishTarget, sample *media.Sample, smaller []*media.Sample) (*overWebRTC, error) {
	endpoint, err := url.Parse(target.URL)
	isLiveKit := params.Protocol == protocol.PublishProtocolLiveKit
	switch {
	case isLiveKit && (err != nil || endpoint.Host == "" || webSocketSchemes[endpoint.Scheme] == ""):
		return nil, control.BadRequest("The address is not that of a LiveKit server; expected ws://HOST:PORT.")
	case !isLiveKit && params.Dynacast:
		return nil, control.BadRequest("Only LiveKit says which layers are watched: leave dynacast out.")
	case isLiveKit && target.BearerToken == "":
		return nil, control.BadRequest("Publishers in a LiveKit room need a token each.")
	case !isLiveKit && (err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https"):
		return nil, control.BadRequest("The address of the stream is not a WHIP address; expected http://HOST:PORT/PATH.")
	}
	if isLiveKit {
		endpoint.Scheme = webSocketSchemes[endpoint.Scheme]
	}
	w := p.overWebRTC(endpoint, target.BearerToken, &whep.Room{Size: 1, Sample: sample, Smaller: smaller}, params)
	if isLiveKit {
		w.tracks, w.dynacast = livekit.TracksOf(sample, smaller...), params.Dynacast
	}
	return w, nil
}

func (p *Publications) add(j *job) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return control.Errorf("shutting-down", "The agent is shutting down.")
	}
	var remaining []*job
	running := len(j.publishers)
	for _, other := range p.list {
		switch {
		case !other.hasEnded() && other.name == j.name:
			return control.Errorf("duplicate-job", "Job %q is already publishing. Stop it first or choose another name.", j.name)
		case other.name == j.name:
			continue
		case !other.hasEnded():
			running += len(other.publishers)
		}
		remaining = append(remaining, other)
	}
	if running > protocol.MaxPublishers {
		return control.Errorf("too-many-publications", "This agent would publish %d streams; its maximum is %d.", running, protocol.MaxPublishers)
	}
	startJob(j)
	p.list = append(remaining, j)
	return nil
}

func loaded[S any](p *Publications, name string, load func(folder, name string) (S, error)) (sample S, err error) {
	if name == "" {
		return sample, control.BadRequest("The name of the sample is empty.")
	}
	if p.config.Samples == "" && name == filepath.Base(name) {
		return sample, control.Errorf("no-sample", "This agent was started without samples. Start it with --samples FOLDER.")
	}
	p.loading.Lock()
	defer p.loading.Unlock()
	if slices.Contains(remux.Extensions, filepath.Ext(name)) {
		sample, err = remux.Load(name, load)
	} else {
		sample, err = load(p.config.Samples, name)
	}
	switch {
	case errors.Is(err, media.ErrNotVideo):
		return sample, control.BadRequest("%v.", err)
	case errors.Is(err, fs.ErrNotExist):
		return sample, control.Errorf("no-sample", "Sample %q does not exist; the samples' folder is %q.", name, p.config.Samples)
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
		if one.name == params.Job {
			one.leave(params.Force)
			return protocol.AudienceUnpublishResult{Job: params.Job}, nil
		}
	}
	return protocol.AudienceUnpublishResult{}, control.Errorf("no-job", "No publication %q exists.", params.Job)
}

func (p *Publications) all() []*job {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]*job(nil), p.list...)
}

// Running reports whether a job of that name publishes.
func (p *Publications) Running(job string) bool {
	for _, one := range p.all() {
		if one.name == job && !one.hasEnded() {
			return true
		}
	}
	return false
}

// Processes are how many of ffmpeg the publishers run.
func (p *Publications) Processes() (count int) {
	for _, one := range p.all() {
		if !one.hasEnded() && IsByProcess(one.protocol) {
			count += len(one.publishers)
		}
	}
	return count
}

// IsByProcess reports whether each publisher is a process of ffmpeg.
func IsByProcess(p protocol.PublishProtocol) bool {
	return p == protocol.PublishProtocolRTSP || p == protocol.PublishProtocolSRT
}

// Sample ends the interval of each.
func (p *Publications) Sample(interval time.Duration) []protocol.AgentPublication {
	var views []protocol.AgentPublication
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
			left += len(one.publishers)
		}
	}
	return left
}

// Publishers lists those of a job.
func (p *Publications) Publishers(params protocol.AudiencePublishersParams) (protocol.AudiencePublishersResult, error) {
	if params.Limit < 1 || params.Limit > protocol.AudiencePublishersLimitMax || params.Offset < 0 {
		return protocol.AudiencePublishersResult{}, control.BadRequest("limit must be 1 to %d, and offset 0 or more.", protocol.AudiencePublishersLimitMax)
	}
	for _, one := range p.all() {
		if one.name != params.Job {
			continue
		}
		result := protocol.AudiencePublishersResult{Total: len(one.publishers), Publishers: []protocol.AgentPublisher{}}
		for i := params.Offset; i < min(params.Offset+params.Limit, len(one.publishers)); i++ {
			result.Publishers = append(result.Publishers, one.publishers[i].view(i+1))
		}
		return result, nil
	}
	return protocol.AudiencePublishersResult{}, control.Errorf("no-job", "No publication %q exists.", params.Job)
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
