package audience

import (
	"math"
	"strings"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
)

// checkStart refuses what no protocol can do; nothing is corrected silently.
func checkStart(p protocol.AudienceStartParams) error {
	switch {
	case p.Job == "" || len(p.Job) > protocol.AudienceStartJobMax:
		return control.BadRequest("job must be a name of 1 to %d characters.", protocol.AudienceStartJobMax)
	case p.Viewers < 1:
		return control.BadRequest("viewers is %d; it must be 1 or more.", p.Viewers)
	case !(p.RatePerSecond > 0) || math.IsInf(p.RatePerSecond, 0):
		return control.BadRequest("ratePerSecond is %v; it must be above 0.", p.RatePerSecond)
	case p.HoldMs < 0 || p.HoldMs > protocol.AudienceStartHoldMsMax:
		return control.BadRequest("holdMs is %d; it must be 0 (until stopped) to %d.", p.HoldMs,
			int64(protocol.AudienceStartHoldMsMax))
	case p.Tracks != "" && p.Tracks != protocol.TracksAudioVideo && p.Tracks != protocol.TracksAudio:
		return control.BadRequest("tracks is %q; it must be audio-video or audio.", p.Tracks)
	case isAudioOnly(p) && (p.Room != nil || isOneOf(protocol.ProtocolsWithoutAudio, p.Protocol)):
		return control.BadRequest("Neither rooms nor %s have audio only: leave tracks out.", strings.ReplaceAll(protocol.ProtocolsWithoutAudio, " ", " nor "))
	case p.NominalFPS != nil && !(*p.NominalFPS > 0 && *p.NominalFPS <= protocol.AudienceStartNominalFPSMax):
		return control.BadRequest("nominalFps is %v; it must be above 0 and at most %d.", *p.NominalFPS,
			protocol.AudienceStartNominalFPSMax)
	case p.Parallel != nil && (*p.Parallel < 1 || *p.Parallel > protocol.AudienceStartParallelMax):
		return control.BadRequest("parallel is %d; it must be 1 to %d.", *p.Parallel, protocol.AudienceStartParallelMax)
	case p.StageTimeoutMs != nil && (*p.StageTimeoutMs < protocol.AudienceStartStageTimeoutMsMin ||
		*p.StageTimeoutMs > protocol.AudienceStartStageTimeoutMsMax):
		return control.BadRequest("stageTimeoutMs is %d; it must be %d to %d.", *p.StageTimeoutMs,
			protocol.AudienceStartStageTimeoutMsMin, protocol.AudienceStartStageTimeoutMsMax)
	}
	return checkWatch(p.Watch)
}

func isAudioOnly(p protocol.AudienceStartParams) bool { return p.Tracks == protocol.TracksAudio }

func stageTimeout(p protocol.AudienceStartParams) time.Duration {
	return time.Duration(orDefault(p.StageTimeoutMs, protocol.AudienceStartStageTimeoutMsDefault)) * time.Millisecond
}

func orDefault[T any](value *T, usual T) T {
	if value == nil {
		return usual
	}
	return *value
}
