package audience

import (
	"strings"
	"testing"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/testing/histograms"
	"fullhouse/agent/internal/testing/mediaservers"
)

func processParams(scheme protocol.PullProtocol, viewers int, urls ...string) protocol.AudienceStartParams {
	return protocol.AudienceStartParams{Job: "pull-1", Protocol: scheme, URLs: urls, Viewers: viewers, RatePerSecond: 50}
}

func TestViewersOfSRTAreProcessesOfFFmpeg(t *testing.T) {
	t.Parallel()
	movie := mediaservers.Movie(t)
	var urls []string
	for range 3 { // ffmpeg as a listener serves one viewer
		address, _ := mediaservers.SRT(t, movie)
		urls = append(urls, address)
	}
	s := newHarness(t)
	s.mustCall("audience.start", processParams(protocol.PullProtocolSRT, 3, urls...))
	sample := s.until("three viewers at 25 fps", func(j protocol.JobSample) bool {
		return j.Connected == 3 && measured(j).FrameRate != "" && histograms.Percentile(t, measured(j).FrameRate, 50) > 20 && j.BitrateKbps > 100
	})
	if len(sample.Failures) != 0 {
		t.Errorf("%+v", sample)
	}
	for _, one := range s.list() {
		if one.ConnectMs == nil || one.FirstFrameMs == nil || one.Frames == 0 || one.Bytes == 0 {
			t.Errorf("%+v", one)
		}
	}
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	s.until("the end", func(j protocol.JobSample) bool {
		return j.State == protocol.JobEnded && j.Disconnected == 3 && j.Present == 0
	})
}

func TestProcessesOfFFmpegAreLimited(t *testing.T) {
	t.Parallel()
	mediaservers.FFmpeg(t)
	s := newHarness(t)
	refused := func(code, says string, params protocol.AudienceStartParams) {
		t.Helper()
		_, err := s.call("audience.start", params)
		if sentence, is := err.(*control.Error); !is || sentence.Code != code || !strings.Contains(sentence.Message, says) {
			t.Errorf("%v", err)
		}
	}
	const nothing = "rtsp://127.0.0.1:1/cam"
	refused("too-many-viewers", "at most 50 on one tester", processParams(protocol.PullProtocolRTSP, 51, nothing))
	few := processParams(protocol.PullProtocolRTSP, 20, nothing)
	few.RatePerSecond = 0.1
	s.mustCall("audience.start", few)
	more := processParams(protocol.PullProtocolSRT, 31, "srt://127.0.0.1:1")
	more.Job = "pull-2"
	refused("too-many-viewers", "31 more do not fit beside 20", more)
	shaped := processParams(protocol.PullProtocolRTSP, 1, nothing)
	shaped.Network = &protocol.JobNetwork{Steps: []protocol.NetworkStep{{}}}
	refused("bad-request", "leave network out", shaped)
	refused("bad-request", "Invalid srt address", processParams(protocol.PullProtocolSRT, 1, "srt://u:p@h:9?mode=listener"))
	codecs := processParams(protocol.PullProtocolRTSP, 1, nothing)
	codecs.Fidelity = "browser"
	refused("bad-request", "neither fidelity nor codecs", codecs)
	s.until("a refused connection", func(j protocol.JobSample) bool {
		return len(j.Failures) > 0 && j.Failures[0].Cause.String() == "refused"
	})
}
