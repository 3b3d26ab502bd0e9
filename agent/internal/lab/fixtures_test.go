package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// The same file is read by the engine's tests.
func TestTheSharedSampleIsReadAndWrittenExactly(t *testing.T) {
	data, err := os.ReadFile("../../../tests/fixtures/agent-protocol/sample-record-lab.json")
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Type     string       `json:"type"`
		Sequence uint64       `json:"sequence"`
		TimeMs   int64        `json:"timeMs"`
		Kind     string       `json:"kind"`
		Sample   sampleRecord `json:"sample"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&record); err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(written, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("it is written differently:\n%s", written)
	}
}
