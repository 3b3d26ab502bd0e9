// Package exposed finds secrets that other processes can see.
package exposed

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Check fails the test if an argument or a variable of a process below this one contains a secret. It returns the names
// of those processes, one a line.
func Check(t testing.TB, secrets ...string) (names string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes are listed by Linux's /proc")
	}
	parents, own := map[string]string{}, fmt.Sprint(os.Getpid())
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		status, _ := os.ReadFile(folder + "/stat") // it may have ended
		if _, rest, found := strings.Cut(string(status), ") "); found {
			parents[filepath.Base(folder)] = strings.Fields(rest)[1]
		}
	}
	for pid := range parents {
		isBelow := false
		for at := parents[pid]; at != "" && !isBelow; at = parents[at] {
			isBelow = at == own
		}
		if !isBelow {
			continue
		}
		name, _ := os.ReadFile("/proc/" + pid + "/comm")
		names += string(name)
		for _, file := range []string{"cmdline", "environ"} {
			text, _ := os.ReadFile("/proc/" + pid + "/" + file)
			for _, secret := range secrets {
				if strings.Contains(string(text), secret) {
					t.Errorf("%s of process %s (%s) has %s", file, pid, strings.TrimSpace(string(name)), secret)
				}
			}
		}
	}
	return names
}
