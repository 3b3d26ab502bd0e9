// Package exposed finds secrets that other processes can see.
package exposed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Check fails the test if an argument or a variable of a process below this one contains a secret, except of those that
// the test itself has started with it. It returns the names of the processes, one a line.
func Check(t testing.TB, except []*exec.Cmd, secrets ...string) (names string) {
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
		isBelow = isBelow && !slices.ContainsFunc(except, func(one *exec.Cmd) bool { return fmt.Sprint(one.Process.Pid) == pid })
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
