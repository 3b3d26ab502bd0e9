package monotonic

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// labels are the places where the system clock is intended: names, certificates, a log for the user. Benchmarks and the
// test servers are not part of the agent.
var labels = []string{"internal/lab/whep/peers.go", "internal/daemon/daemon.go", "internal/bench/", "internal/testing/", "internal/monotonic/"}

// TestNothingUsesTheSystemClock: a Unix value of time.Now has no monotonic reading, so setting the clock changes
// it.
func TestNothingUsesTheSystemClock(t *testing.T) {
	const root = "../.."
	unix := regexp.MustCompile(`time\.Now\(\)\.(Unix|UnixMilli|UnixMicro|UnixNano|Round|UTC)\(|time\.Unix\(0,`)
	read := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash(root+"/")))
		for _, label := range labels {
			if strings.HasPrefix(name, label) {
				return nil
			}
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for number, line := range strings.Split(string(source), "\n") {
			if unix.MatchString(line) {
				t.Errorf("%s:%d reads the system clock; use package monotonic: %s", name, number+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil || read < 50 {
		t.Fatalf("%d files read, %v", read, err)
	}
}
