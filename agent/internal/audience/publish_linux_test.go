package audience

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
)

// TestAFileIsReadOutsideOfLocks: while the file of a publication is read, for which it is copied by ffmpeg here, other
// jobs start and samples are taken.
func TestAFileIsReadOutsideOfLocks(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "begun"), 0o600); err != nil {
		t.Fatal(err)
	}
	slow := fmt.Sprintf("#!/bin/sh\n[ -e %[1]s/end ] && exit 1\necho > %[1]s/begun\nwhile [ ! -e %[1]s/end ]; do sleep 0.01; done\nexit 1\n", folder)
	for name, text := range map[string]string{"ffmpeg": slow, "a.ts": "G"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	s := newHarness(t)
	published := make(chan error, 1)
	go func() {
		_, err := s.call("audience.publish", protocol.AudiencePublishParams{Job: "studio", Protocol: "whip",
			URL: "http://127.0.0.1:9/whip/cam", Sample: filepath.Join(folder, "a.ts")})
		published <- err
	}()
	if _, err := os.ReadFile(filepath.Join(folder, "begun")); err != nil { // until ffmpeg runs
		t.Fatal(err)
	}
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "viewers", Protocol: "whep", URL: "http://127.0.0.1:9/whep/cam", Viewers: 1, RatePerSecond: 1, HoldMs: 1})
	s.Sample(protocol.ProcessSample{}, time.Second)
	select {
	case err := <-published:
		t.Errorf("the file was read already: %v", err)
	default:
	}
	if err := os.WriteFile(filepath.Join(folder, "end"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-published; err == nil {
		t.Error("a file that ffmpeg can't read was published")
	}
}
