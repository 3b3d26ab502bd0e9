package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"fullhouse/agent/internal/protocol"
)

type sampleMessage struct {
	Type     string             `json:"type"`
	Sequence uint64             `json:"sequence"`
	TimeMs   int64              `json:"timeMs"`
	Kind     string             `json:"kind"`
	Sample   protocol.LabSample `json:"sample"`
}

type conditionsMessage struct {
	Type   string                       `json:"type"`
	ID     uint64                       `json:"id"`
	Call   string                       `json:"call"`
	Params protocol.LabConditionsParams `json:"params"`
}

type viewersMessage struct {
	Type   string                    `json:"type"`
	ID     uint64                    `json:"id"`
	OK     bool                      `json:"ok"`
	Result protocol.LabViewersResult `json:"result"`
}

// The engine's tests read the same files.
func TestTheSharedMessagesAreReadAndWrittenExactly(t *testing.T) {
	for name, message := range map[string]any{
		"sample-record-lab.json":      &sampleMessage{},
		"lab-conditions-request.json": &conditionsMessage{},
		"lab-viewers-response.json":   &viewersMessage{},
	} {
		data, err := os.ReadFile("../../../tests/fixtures/agent-protocol/" + name)
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(message); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		written, err := json.Marshal(message)
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
			t.Errorf("%s is written differently:\n%s", name, written)
		}
	}
}
