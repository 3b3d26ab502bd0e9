package audience

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/publish"
	"fullhouse/agent/internal/remote"
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
		Type   string      `json:"type"`
		ID     int64       `json:"id"`
		OK     bool        `json:"ok"`
		Result *R          `json:"result,omitempty"`
		Error  *link.Error `json:"error,omitempty"`
	}
	typedRecord[S any] struct {
		Type     string      `json:"type"`
		Sequence uint64      `json:"sequence"`
		TimeMs   int64       `json:"timeMs"`
		Kind     string      `json:"kind"`
		Sample   *S          `json:"sample,omitempty"`
		Event    *link.Event `json:"event,omitempty"`
	}
)

const fixtures = "../../../tests/fixtures/agent-protocol"

func TestSharedMessagesAreReadAndWrittenExactly(t *testing.T) {
	targets := map[string]any{
		"listening.json":                   &link.Listening{},
		"listening-running.json":           &link.Listening{},
		"status-alive.json":                &remote.Status{},
		"status-ended.json":                &remote.Status{},
		"status-absent.json":               &remote.Status{},
		"hello-request.json":               &typedRequest[link.HelloParams]{},
		"hello-response-audience.json":     &typedResponse[link.HelloResult]{},
		"audience-start-request.json":      &typedRequest[StartParams]{},
		"audience-start-response.json":     &typedResponse[StartResult]{},
		"audience-viewers-response.json":   &typedResponse[ViewersResult]{},
		"audience-viewer-request.json":     &typedRequest[ViewerParams]{},
		"audience-viewer-response.json":    &typedResponse[DetailView]{},
		"audience-publish-request.json":    &typedRequest[publish.Params]{},
		"audience-publish-response.json":   &typedResponse[publish.Result]{},
		"sample-record-publishing.json":    &typedRecord[Sample]{},
		"error-response.json":              &typedResponse[struct{}]{},
		"event-record.json":                &typedRecord[struct{}]{},
		"sample-record-audience.json":      &typedRecord[Sample]{},
		"sample-record-audience-idle.json": &typedRecord[Sample]{},
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
