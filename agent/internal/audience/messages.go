package audience

import (
	"math"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/publish"
	"fullhouse/agent/internal/tester"
)

// StartParams ask for an audience.
type StartParams struct {
	Job           string  `json:"job"`
	Protocol      string  `json:"protocol"`
	URL           string  `json:"url"`
	Viewers       int     `json:"viewers"`
	RatePerSecond float64 `json:"ratePerSecond"`
	HoldMs        int64   `json:"holdMs"`
	BearerToken   string  `json:"bearerToken,omitempty"`
	// AllowCrossOrigin lets the server name sessions on another origin, and redirect there.
	AllowCrossOrigin bool     `json:"allowCrossOrigin,omitempty"`
	Tokens           []string `json:"tokens,omitempty"`
	NominalFps       *float64 `json:"nominalFps,omitempty"`
	Parallel         *int     `json:"parallel,omitempty"`
	StageTimeoutMs   *int64   `json:"stageTimeoutMs,omitempty"`
	Realism          string   `json:"realism,omitempty"`
	DecryptPercent   *float64 `json:"decryptPercent,omitempty"`
}

const (
	defaultParallel     = 32
	mostParallel        = 1024
	defaultStageTimeout = 5 * time.Second
	leastStageTimeout   = 100 * time.Millisecond
	mostStageTimeout    = 2 * time.Minute
	mostHold            = 30 * 24 * time.Hour
)

// check refuses what can't be done as asked by any protocol; nothing is corrected in silence.
func (p StartParams) check() error {
	switch {
	case p.Job == "" || len(p.Job) > 200:
		return link.BadRequest("A job needs a name of 1 to 200 characters.")
	case p.Viewers < 1:
		return link.BadRequest("%d viewers can't be started; ask for 1 or more.", p.Viewers)
	case !(p.RatePerSecond > 0) || math.IsInf(p.RatePerSecond, 0):
		return link.BadRequest("A rate of %v viewers per second can't be kept; it must be above 0.", p.RatePerSecond)
	case p.HoldMs < 0 || p.HoldMs > mostHold.Milliseconds():
		return link.BadRequest("holdMs is %d; it must be 0 (until stopped) to %d.", p.HoldMs, mostHold.Milliseconds())
	case p.NominalFps != nil && !(*p.NominalFps > 0 && *p.NominalFps <= 1000):
		return link.BadRequest("nominalFps is %v; it must be above 0 and at most 1000.", *p.NominalFps)
	case p.Parallel != nil && (*p.Parallel < 1 || *p.Parallel > mostParallel):
		return link.BadRequest("parallel is %d; it must be 1 to %d.", *p.Parallel, mostParallel)
	case p.StageTimeoutMs != nil && (*p.StageTimeoutMs < leastStageTimeout.Milliseconds() || *p.StageTimeoutMs > mostStageTimeout.Milliseconds()):
		return link.BadRequest("stageTimeoutMs is %d; it must be %d to %d.", *p.StageTimeoutMs, leastStageTimeout.Milliseconds(), mostStageTimeout.Milliseconds())
	}
	return nil
}

func (p StartParams) stageTimeout() time.Duration {
	if p.StageTimeoutMs == nil {
		return defaultStageTimeout
	}
	return time.Duration(*p.StageTimeoutMs) * time.Millisecond
}

// StartResult confirms a job.
type StartResult struct {
	Job      string   `json:"job"`
	Viewers  int      `json:"viewers"`
	Warnings []string `json:"warnings"`
}

// StopParams end one job.
type StopParams struct {
	Job   string `json:"job"`
	Force bool   `json:"force,omitempty"`
}

// ViewersParams ask for a page of a job's viewers.
type ViewersParams struct {
	Job    string `json:"job"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
	State  State  `json:"state,omitempty"`
}

// ViewersResult is that page; Total counts all that fit State.
type ViewersResult struct {
	Total   int          `json:"total"`
	Viewers []ViewerView `json:"viewers"`
}

// ViewerView is one viewer. Figures that were not measured are absent.
type ViewerView struct {
	Viewer          int              `json:"viewer"`
	State           State            `json:"state"`
	ArrivedMs       int64            `json:"arrivedMs,omitempty"`
	ConnectMs       *float64         `json:"connectMs,omitempty"`
	FirstFrameMs    *float64         `json:"firstFrameMs,omitempty"`
	Packets         uint64           `json:"packets"`
	Bytes           uint64           `json:"bytes"`
	Lost            uint64           `json:"lost"`
	LossPercent     float64          `json:"lossPercent"`
	JitterMs        *float64         `json:"jitterMs,omitempty"`
	Frames          uint64           `json:"frames"`
	Fps             *float64         `json:"fps,omitempty"`
	Freezes         uint64           `json:"freezes"`
	FrozenMs        float64          `json:"frozenMs"`
	RoundTripMs     *float64         `json:"roundTripMs,omitempty"`
	Degraded        bool             `json:"degraded"`
	DegradedBecause string           `json:"degradedBecause,omitempty"`
	DegradedMs      float64          `json:"degradedMs,omitempty"`
	Failure         *failure.Failure `json:"failure,omitempty"`
}

// Sample is the audience's second.
type Sample struct {
	Process      process.Sample `json:"process"`
	Jobs         []JobSample    `json:"jobs"`
	Publications []publish.View `json:"publications,omitempty"`
	// Tester is of an audience that has viewers.
	Tester *tester.Sample `json:"tester,omitempty"`
}

// JobSample is one job's second; percentiles of nothing are absent.
type JobSample struct {
	Job                 string        `json:"job"`
	State               JobState      `json:"state"`
	Requested           int           `json:"requested"`
	Waiting             int           `json:"waiting"`
	Connecting          int           `json:"connecting"`
	Connected           int           `json:"connected"`
	Failed              int           `json:"failed"`
	Left                int           `json:"left"`
	Present             int           `json:"present"`
	Degraded            int           `json:"degraded"`
	ArrivalRateAsked    float64       `json:"arrivalRateAsked"`
	ArrivalRateAchieved float64       `json:"arrivalRateAchieved"`
	BitrateKbps         float64       `json:"bitrateKbps"`
	PacketsPerSecond    float64       `json:"packetsPerSecond"`
	LossPercent         *float64      `json:"lossPercent,omitempty"`
	FrameRate           *RateSpread   `json:"frameRate,omitempty"`
	ConnectMs           *Spread       `json:"connectMs,omitempty"`
	FirstFrameMs        *Spread       `json:"firstFrameMs,omitempty"`
	JitterMs            *Spread       `json:"jitterMs,omitempty"`
	RoundTripMs         *Spread       `json:"roundTripMs,omitempty"`
	Freezes             uint64        `json:"freezes"`
	DamagedPackets      uint64        `json:"damagedPackets,omitempty"`
	Failures            []FailureView `json:"failures"`
}

// Spread is how a figure is spread over the viewers, where high is bad.
type Spread struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// RateSpread is how a figure is spread over the viewers, where low is bad.
type RateSpread struct {
	P5  float64 `json:"p5"`
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// FailureView counts the failures of one stage and cause.
type FailureView struct {
	Stage   failure.Stage `json:"stage"`
	Cause   string        `json:"cause"`
	Count   int           `json:"count"`
	Example Example       `json:"example"`
}

// Example is the first of them.
type Example struct {
	Viewer int    `json:"viewer"`
	TimeMs int64  `json:"timeMs"`
	Detail string `json:"detail"`
}

// State is where a viewer stands.
type State string

// The states of a viewer.
const (
	Waiting    State = "waiting"
	Connecting State = "connecting"
	Connected  State = "connected"
	Failed     State = "failed"
	Leaving    State = "leaving"
	Left       State = "left"
)

// JobState is where a job stands.
type JobState string

// The states of a job.
const (
	JobArriving JobState = "arriving"
	JobHolding  JobState = "holding"
	JobLeaving  JobState = "leaving"
	JobEnded    JobState = "ended"
)
