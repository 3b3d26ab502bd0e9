package remote

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// checkSystem tells whether agents can be detached here.
func checkSystem() error { return nil }

// detached makes a process the leader of a session of its own: what ends the terminal or the SSH session does not end it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// foreignOwner tells whose folder it is when it is not of the user who runs this process.
func foreignOwner(info os.FileInfo) (owner uint32, foreign bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return stat.Uid, int64(stat.Uid) != int64(os.Geteuid())
}

// lockFile takes the lock without waiting. Where the file system has no locks (some network homes), two starts at the
// same moment are not kept apart, which is better than none at all.
func lockFile(file *os.File) (taken bool, err error) {
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case err == nil, errors.Is(err, unix.EBADF), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS):
		return true, nil
	case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, unix.EINTR):
		return false, nil
	}
	return false, err
}

// isAgent tells whether the process is a detached agent of that home: a number alone may belong to anybody by now.
func isAgent(pid int, home string) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	words := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	at := slices.Index(words, "--home")
	return len(words) > 1 && words[1] == Command && at >= 0 && at+1 < len(words) && words[at+1] == home
}

// agentsIn finds the processes of this user that are detached agents of that home, whatever its agent.json says.
func agentsIn(home string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil && isAgent(pid, home) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// mountOf is where the file system that holds the path is mounted, and whether programs may not be run from it.
func mountOf(path string) (point string, noexec bool) {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", false
	}
	return findMount(table, path)
}

// findMount reads a mountinfo table (proc_pid_mountinfo(5)): the fifth field is the mount point, the sixth its options.
func findMount(table []byte, path string) (point string, noexec bool) {
	for line := range bytes.Lines(table) {
		fields := strings.Fields(string(line))
		if len(fields) < 6 {
			continue
		}
		mounted := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(fields[4])
		within := path == mounted || strings.HasPrefix(path, strings.TrimSuffix(mounted, "/")+"/")
		if within && len(mounted) >= len(point) { // a later one of the same point lies over the earlier
			point, noexec = mounted, slices.Contains(strings.Split(fields[5], ","), "noexec")
		}
	}
	return point, noexec
}
