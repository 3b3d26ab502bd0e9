package audience

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// TestSelfSignedServersAreAcceptedByEveryProtocolIfConfigured: a server that speaks HTTPS only, so that a viewer that
// accepts its certificate fails after TLS.
func TestSelfSignedServersAreAcceptedByEveryProtocolIfConfigured(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "https://")
	a := newHarness(t)
	for _, params := range []protocol.AudienceStartParams{
		{Protocol: protocol.PullProtocolWHEP, URL: "https://" + host + "/whep"},
		{Protocol: protocol.PullProtocolWCS, URL: "wss://" + host, Stream: "cam"},
		{Protocol: protocol.PullProtocolWCS, URL: "wss://" + host, WithoutMedia: true},
		{Protocol: protocol.PullProtocolLiveKit, URL: "wss://" + host, Tokens: []string{"key"}},
		{Protocol: protocol.PullProtocolHLS, URL: "https://" + host + "/index.m3u8"},
		{Protocol: protocol.PullProtocolDASH, URL: "https://" + host + "/index.mpd"},
		{Protocol: protocol.PullProtocolHTTPFLV, URL: "https://" + host + "/cam.flv"},
		{Protocol: protocol.PullProtocolWSFLV, URL: "wss://" + host + "/cam.flv"},
		{Protocol: protocol.PullProtocolMJPEG, URL: "https://" + host + "/cam.mjpg"},
		{Protocol: protocol.PullProtocolRTMP, URL: "rtmps://" + host + "/live/cam"},
	} {
		for _, selfSigned := range []bool{false, true} {
			params.Job, params.Viewers, params.RatePerSecond, params.SelfSigned = "job", 1, 1, selfSigned
			timeout := int64(5000)
			params.StageTimeoutMs = &timeout
			group, _, err := a.group(params, nil)
			if err != nil {
				t.Fatalf("%s: %v", params.Protocol, err)
			}
			v := group.New()
			f := v.Connect(context.Background(), context.Background())
			if isRefused := f != nil && f.Stage == failure.TLS && f.Cause == protocol.CauseCertificate; f == nil || isRefused == selfSigned {
				t.Errorf("%s with selfSigned %v: %v", params.Protocol, selfSigned, f)
			}
			_ = v.Disconnect(context.Background(), true)
		}
	}
}
