package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestAStartThatFailsSaysWhyInOneSentence(t *testing.T) {
	const token = "a-token-of-some-length\n"
	for _, test := range []struct {
		arguments, input, sentence string
	}{
		{"", token, "audience | lab | start audience | status | stop | self-test | version"},
		{"orchestra", token, "orchestra"},
		{"self-test --duration 0s", "", "--duration"},
		{"self-test --duration 1h", "", "10s at most"},
		{"start", token, "start audience"},
		{"start lab --home /tmp", token, "start audience"},
		{"start audience", token, "--home"},
		{"start audience --home x --alone 0s", token, "--alone"},
		{"start audience --home x --alone 10m --keep 1m", token, "--keep"},
		{"start audience --home x", "short\n", "token"},
		{"status", token, "--home"},
		{"stop", token, "--home"},
		{"audience --volume 11", token, "volume"},
		{"audience loud", token, "loud"},
		{"audience --alone 0s", token, "--alone"},
		{"audience", "short\n", "token"},
		{"audience", "", "token"},
		{"audience --listen 0.0.0.0:0", token, "loopback"},
		{"audience --listen 127.0.0.1:99999", token, "99999"},
	} {
		var output, errors bytes.Buffer
		err := run(strings.Fields(test.arguments), strings.NewReader(test.input), &output, &errors)
		if err == nil || !strings.Contains(err.Error(), test.sentence) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want a sentence with %q", test.arguments, err, test.sentence)
		}
		if output.Len() > 0 {
			t.Errorf("%q printed %q", test.arguments, output.String())
		}
	}
}

func TestSelfTestPrintsWhatItDidAndWhatItCost(t *testing.T) {
	var output, errors bytes.Buffer
	if err := run([]string{"self-test", "--duration", "100ms"}, strings.NewReader(""), &output, &errors); err != nil {
		t.Fatal(err)
	}
	var result struct {
		Packets int64
		CPUMs   float64
		WallMs  float64
	}
	if err := json.Unmarshal(output.Bytes(), &result); err != nil {
		t.Fatalf("%v in %q", err, output.String())
	}
	if result.Packets < 100 || result.WallMs < 100 {
		t.Errorf("%+v is no measurement", result)
	}
}

func TestVersion(t *testing.T) {
	var output bytes.Buffer
	if err := run([]string{"version"}, strings.NewReader(""), &output, &output); err != nil || output.String() != version+"\n" {
		t.Errorf("%q, %v", output.String(), err)
	}
}
