package audience

import (
	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/ffmpeg"
	"fullhouse/agent/internal/ffmpeg/play"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/publish"
	"fullhouse/agent/internal/viewer"
)

// processGroup makes viewers of RTSP or SRT, by the machine's ffmpeg.
func processGroup(params protocol.AudienceStartParams) (viewer.Group, error) {
	name := string(params.Protocol)
	target, err := play.ParseAddress(params.URL, name)
	if err != nil { // the address is not repeated: it may contain a password
		return nil, control.BadRequest("Invalid %s address: %v.", name, err)
	}
	if err := withoutWebRTC(params); err != nil {
		return nil, err
	}
	if params.Network != nil {
		return nil, control.BadRequest("%s viewers are processes of ffmpeg, whose network can't be simulated: leave network out.", name)
	}
	path, err := ffmpeg.Find(name)
	if err != nil {
		return nil, control.Errorf("no-ffmpeg", "%v.", err)
	}
	return play.NewGroup(play.Config{FFmpeg: path, URL: target, StageTimeout: stageTimeout(params), AudioOnly: isAudioOnly(params)}), nil
}

// processes are how many of ffmpeg the viewers of a job need.
func (j *job) processes() int {
	if isOneOf(protocol.ProcessProtocols, j.params.Protocol) {
		return j.params.Viewers
	}
	return 0
}

// checkPublishers bounds the processes of publishers together with those of viewers.
func (a *Audience) checkPublishers(params protocol.AudiencePublishParams) error {
	if !publish.IsByProcess(params.Protocol) {
		return nil
	}
	inUse := a.published.Processes()
	a.mutex.Lock()
	for _, j := range a.jobs {
		if !j.ended() {
			inUse += j.processes()
		}
	}
	a.mutex.Unlock()
	return checkProcesses(max(1, len(params.Targets)), inUse)
}

// checkProcesses bounds the processes of ffmpeg: those of running jobs, and of a new one.
func checkProcesses(requested, inUse int) error {
	if requested == 0 || requested+inUse <= protocol.MaxProcesses {
		return nil
	}
	return control.Errorf("too-many-viewers", "RTSP and SRT run one process of ffmpeg each, at most %d on one tester: %d more do not fit beside %d. Use fewer, or more testers.",
		protocol.MaxProcesses, requested, inUse)
}
