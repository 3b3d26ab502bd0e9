package lab

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
)

func call[Result any](t *testing.T, lab *Lab, name string, params any) (Result, error) {
	t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	result, err := lab.Call(context.Background(), name, raw)
	if err != nil {
		return *new(Result), err
	}
	return result.(Result), nil
}

func TestARecordingHasWhatItsViewerSends(t *testing.T) {
	lab, _ := startLab(t, 0)
	opened, err := call[protocol.LabRecordResult](t, lab, "lab.record", protocol.LabRecordParams{Sample: "sample-240p", RTX: true})
	if err != nil || !strings.HasPrefix(opened.WHEPURL, "http://127.0.0.1:") {
		t.Fatalf("%+v, %v", opened, err)
	}
	p := watch(t, lab, opened.WHEPURL)
	recorded := func(close bool) []protocol.RecordedViewer {
		t.Helper()
		result, err := call[protocol.LabRecordedResult](t, lab, "lab.recorded", protocol.LabRecordedParams{Record: opened.Record, Close: close})
		if err != nil {
			t.Fatal(err)
		}
		return result.Viewers
	}
	eventually(t, "video, audio and checks", func() bool {
		viewers := recorded(false)
		return p.count(webrtc.RTPCodecTypeVideo) > 20 && p.count(webrtc.RTPCodecTypeAudio) > 5 && len(viewers) == 1 && len(viewers[0].STUN) > 0
	})
	location := strings.Replace(p.resource, "http://"+lab.HTTP(), strings.TrimSuffix(opened.WHEPURL, "/whep"), 1)
	if status, _, text := request(t, http.MethodDelete, location, "", ""); status != http.StatusOK {
		t.Errorf("DELETE %s: %d %s", location, status, text)
	}
	if err := p.connection.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end", func() bool { return len(recorded(false)[0].End) == 2 })
	v := recorded(true)[0]
	if len(v.Offer.Sections) != 2 || v.ClientHello == nil || v.Seconds == 0 || v.UpstreamPackets == 0 || v.UpstreamBytes < 20*v.UpstreamPackets ||
		v.KeysAfterMs <= 0 || v.End[0] != "DELETE" || !strings.Contains(v.SDP, "a=ice-pwd:(") {
		t.Errorf("%+v", v)
	}
	if _, err := call[protocol.LabRecordedResult](t, lab, "lab.recorded", protocol.LabRecordedParams{Record: opened.Record}); err == nil || err.(*control.Error).Code != "no-record" {
		t.Errorf("a closed recording: %v", err)
	}
}

func TestImpossibleRecordingsAreRefused(t *testing.T) {
	lab, _ := startLab(t, 0)
	for code, params := range map[string]protocol.LabRecordParams{
		"no-sample":   {Sample: "missing"},
		"bad-request": {Sample: "../media/testdata/vp8.ivf"},
	} {
		_, err := call[protocol.LabRecordResult](t, lab, "lab.record", params)
		if failed, ok := err.(*control.Error); !ok || failed.Code != code {
			t.Errorf("%+v: %v, want %s", params, err, code)
		}
	}
	for range maxRecordings { // the lab closes them at its end
		if _, err := call[protocol.LabRecordResult](t, lab, "lab.record", protocol.LabRecordParams{Sample: "sample-240p"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := call[protocol.LabRecordResult](t, lab, "lab.record", protocol.LabRecordParams{Sample: "sample-240p"}); err == nil {
		t.Error("one more than the maximum was opened")
	}
}
