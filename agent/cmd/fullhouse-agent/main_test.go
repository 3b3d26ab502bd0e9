package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestAStartThatFailsSaysWhyInOneSentence(t *testing.T) {
	const token = "a-token-of-some-length\n"
	for _, test := range []struct {
		arguments, input, sentence string
	}{
		{"", token, "audience | lab | start audience | status | stop | version"},
		{"orchestra", token, "orchestra"},
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

func TestVersion(t *testing.T) {
	var output bytes.Buffer
	if err := run([]string{"version"}, strings.NewReader(""), &output, &output); err != nil || output.String() != version+"\n" {
		t.Errorf("%q, %v", output.String(), err)
	}
}
