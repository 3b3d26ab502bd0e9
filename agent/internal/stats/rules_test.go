package stats

import (
	"encoding/json"
	"os"
	"testing"

	"fullhouse/agent/internal/protocol"
)

// viewerRules are cases that src/domain/viewer/rules.test.ts reads as well.
type viewerRules struct {
	Degraded []struct {
		Name             string
		LongestGapMs     int64
		FrameRate        float64
		NominalFrameRate float64
		LossPercent      float64
		ConnectedForMs   int64
		Cause            protocol.DegradedCause
	}
	Freezes []struct {
		Name        string
		AverageMs   int64
		ThresholdMs int64
	}
}

func readViewerRules(t *testing.T) (rules viewerRules) {
	t.Helper()
	bytes, err := os.ReadFile("../../../tests/fixtures/viewer-rules.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(bytes, &rules); err != nil {
		t.Fatal(err)
	}
	if len(rules.Degraded) == 0 || len(rules.Freezes) == 0 {
		t.Fatal("the file has no cases")
	}
	return rules
}

func TestTheDegradedRuleIsThatOfTheConsole(t *testing.T) {
	for _, test := range readViewerRules(t).Degraded {
		observed := Observed{LongestGapNs: test.LongestGapMs * msNs, FrameRate: test.FrameRate,
			NominalFrameRate: test.NominalFrameRate, LossPercent: test.LossPercent, ConnectedForNs: test.ConnectedForMs * msNs}
		if cause := DegradedReason(observed); cause != test.Cause {
			t.Errorf("%s: %q, not %q", test.Name, cause, test.Cause)
		}
	}
}

func TestTheFreezeRuleIsThatOfTheConsole(t *testing.T) {
	for _, test := range readViewerRules(t).Freezes {
		if !IsFreeze(test.ThresholdMs, test.AverageMs) || IsFreeze(test.ThresholdMs-1, test.AverageMs) {
			t.Errorf("%s: freezes of an average of %d ms do not start at %d ms", test.Name, test.AverageMs, test.ThresholdMs)
		}
	}
}
