package audience

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
)

// typed messages: the same files are read by the engine's tests.
type (
	typedRequest[P any] struct {
		Type   string `json:"type"`
		ID     int64  `json:"id"`
		Call   string `json:"call"`
		Params P      `json:"params"`
	}
	typedResponse[R any] struct {
		Type   string         `json:"type"`
		ID     int64          `json:"id"`
		OK     bool           `json:"ok"`
		Result *R             `json:"result,omitempty"`
		Error  *control.Error `json:"error,omitempty"`
	}
	typedRecord[S any] struct {
		Type     string               `json:"type"`
		Sequence uint64               `json:"sequence"`
		TimeMs   int64                `json:"timeMs"`
		Kind     string               `json:"kind"`
		Sample   *S                   `json:"sample,omitempty"`
		Event    *protocol.AgentEvent `json:"event,omitempty"`
	}
)

const fixtures = "../../../tests/fixtures/agent-protocol"

func TestSharedMessagesAreReadAndWrittenExactly(t *testing.T) {
	targets := map[string]any{
		"listening.json":                   &protocol.AgentListening{},
		"listening-running.json":           &protocol.AgentListening{},
		"status-alive.json":                &protocol.Status{},
		"status-ended.json":                &protocol.Status{},
		"status-absent.json":               &protocol.Status{},
		"hello-request.json":               &typedRequest[protocol.HelloParams]{},
		"hello-response-audience.json":     &typedResponse[protocol.HelloResult]{},
		"audience-start-request.json":      &typedRequest[protocol.AudienceStartParams]{},
		"audience-start-response.json":     &typedResponse[protocol.AudienceStartResult]{},
		"audience-viewers-response.json":   &typedResponse[protocol.AudienceViewersResult]{},
		"audience-viewer-request.json":     &typedRequest[protocol.AudienceViewerParams]{},
		"audience-viewer-response.json":    &typedResponse[protocol.AudienceViewerResult]{},
		"audience-publish-request.json":    &typedRequest[protocol.AudiencePublishParams]{},
		"audience-publish-response.json":   &typedResponse[protocol.AudiencePublishResult]{},
		"sample-record-publishing.json":    &typedRecord[protocol.AudienceSample]{},
		"error-response.json":              &typedResponse[struct{}]{},
		"event-record.json":                &typedRecord[struct{}]{},
		"event-record-clock.json":          &typedRecord[struct{}]{},
		"sample-record-audience.json":      &typedRecord[protocol.AudienceSample]{},
		"sample-record-audience-idle.json": &typedRecord[protocol.AudienceSample]{},
		// The lab's own test knows the types of these.
		"sample-record-lab.json":      &typedRecord[map[string]any]{},
		"lab-conditions-request.json": &typedRequest[map[string]any]{},
		"lab-viewers-response.json":   &typedResponse[map[string]any]{},
	}
	files, err := filepath.Glob(fixtures + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures in %s: %v", fixtures, err)
	}
	for _, file := range files {
		target, known := targets[filepath.Base(file)]
		if !known {
			t.Errorf("%s is read by no test here", file)
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(target); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		written, err := json.Marshal(target)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, data, written) {
			t.Errorf("%s is written differently:\n%s", file, written)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
