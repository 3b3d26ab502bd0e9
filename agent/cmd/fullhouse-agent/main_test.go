package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestAFailedStartIsOneSentence(t *testing.T) {
	const token = "a-token-of-some-length\n"
	for _, test := range []struct {
		arguments, input, sentence string
	}{
		{"", token, "audience | lab | start audience | status | stop | probe | self-test | send | version"},
		{"orchestra", token, "orchestra"},
		{"self-test --duration 0s", "", "--duration"},
		{"self-test --duration 1h", "", "at most 10s"},
		{"start", token, "start audience"},
		{"start lab --state-dir /tmp", token, "start audience"},
		{"start audience", token, "--state-dir"},
		{"start audience --state-dir x --idle-timeout 0s", token, "--idle-timeout"},
		{"start audience --state-dir x --idle-timeout 10m --exit-after 1m", token, "--exit-after"},
		{"start audience --state-dir x", "short\n", "token"},
		{"status", token, "--state-dir"},
		{"stop", token, "--state-dir"},
		{"audience --volume 11", token, "volume"},
		{"audience loud", token, "loud"},
		{"audience --idle-timeout 0s", token, "--idle-timeout"},
		{"audience", "short\n", "token"},
		{"audience", "", "token"},
		{"audience --listen 0.0.0.0:0", token, "loopback"},
		{"audience --idle-timeout 10m --exit-after 1m", token, "--exit-after"},
		{"audience --token-file /does/not/exist", token, "/does/not/exist"},
		{"audience --token-file /dev/null", token, "/dev/null must be a token"},
		{"probe", "", "--address"},
		{"probe --address 127.0.0.1:1", "", "no agent listens at 127.0.0.1:1"},
		{"audience --listen 127.0.0.1:99999", token, "99999"},
	} {
		var output, errors bytes.Buffer
		err := run(strings.Fields(test.arguments), strings.NewReader(test.input), &output, &errors)
		if err == nil || !strings.Contains(err.Error(), test.sentence) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want an error with %q", test.arguments, err, test.sentence)
		}
		if output.Len() > 0 {
			t.Errorf("%q printed %q", test.arguments, output.String())
		}
	}
}

func TestSelfTestPrintsWorkAndCost(t *testing.T) {
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
		t.Errorf("%+v is not a measurement", result)
	}
}

func TestVersion(t *testing.T) {
	var output bytes.Buffer
	if err := run([]string{"version"}, strings.NewReader(""), &output, &output); err != nil || output.String() != version+"\n" {
		t.Errorf("%q, %v", output.String(), err)
	}
}

func TestDeprecatedFlagsStillWorkWithOneWarningEach(t *testing.T) {
	var warnings strings.Builder
	flags := flagsOf("start", &warnings)
	var l detachedFlags
	l.register(flags)
	if err := parse(flags, []string{"--home", "/tmp/agent", "-alone=3s", "--exit-after", "4s"}); err != nil {
		t.Fatal(err)
	}
	if l.stateDir != "/tmp/agent" || l.idleTimeout != 3*time.Second || l.exitAfter != 4*time.Second {
		t.Errorf("parsed %+v", l)
	}
	want := "--home is deprecated; use --state-dir.\n--alone is deprecated; use --idle-timeout.\n"
	if warnings.String() != want {
		t.Errorf("warnings %q, want %q", warnings.String(), want)
	}
	warnings.Reset()
	flags.PrintDefaults()
	if strings.Contains(warnings.String(), "-home") || !strings.Contains(warnings.String(), "-state-dir") {
		t.Errorf("usage:\n%s", warnings.String())
	}
}
