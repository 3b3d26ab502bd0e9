package daemon

import (
	"os"
	"testing"
)

func TestTheMountOfAPathIsTheDeepestAndTheLatest(t *testing.T) {
	table := []byte(`22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:20 / /home rw,nosuid,noexec - ext4 /dev/sdb1 rw
24 22 0:21 / /home/anna\040b rw - tmpfs tmpfs rw
25 22 0:22 / /tmp rw - tmpfs tmpfs rw
26 22 0:23 / /tmp rw,noexec - tmpfs tmpfs rw
damaged
`)
	for path, want := range map[string]struct {
		point  string
		noexec bool
	}{
		"/usr/bin/agent": {"/", false}, "/home/kim/agent": {"/home", true}, "/home": {"/home", true}, "/homes/kim": {"/", false},
		"/home/anna b/agent": {"/home/anna b", false}, "/tmp/agent": {"/tmp", true},
	} {
		if point, noexec := findMount(table, path); point != want.point || noexec != want.noexec {
			t.Errorf("%s: %q, %v", path, point, noexec)
		}
	}
	if point, _ := mountOf("/proc/self"); point != "/proc" {
		t.Errorf("/proc/self is on %q", point)
	}
}

func TestAnotherProcessIsNotAnAgent(t *testing.T) {
	if isAgent(os.Getpid(), "/") || isAgent(1<<30, "/") {
		t.Error("this test process counts as an agent")
	}
}
