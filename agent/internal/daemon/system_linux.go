package daemon

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

// checkSystem returns an error if agents can't be detached here.
func checkSystem() error { return nil }

// detached makes a process the leader of its own session: the end of the terminal or the SSH session does not end it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// foreignOwner returns the owner of a folder that does not belong to the user of this process.
func foreignOwner(info os.FileInfo) (owner uint32, foreign bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return stat.Uid, int64(stat.Uid) != int64(os.Geteuid())
}

// lockFile takes the lock without waiting. If the file system has no locks (some network homes), two simultaneous
// starts are not prevented.
func lockFile(file *os.File) (isLocked bool, err error) {
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case err == nil, errors.Is(err, unix.EBADF), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS):
		return true, nil
	case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, unix.EINTR):
		return false, nil
	}
	return false, err
}

// isAgent reports whether the process is a detached agent of that directory and of this user: a pid alone may have been
// reused, and any user can start a program with these arguments.
func isAgent(pid int, dir string) bool {
	info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	if err != nil {
		return false
	}
	if _, foreign := foreignOwner(info); foreign {
		return false
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	text := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	// Agents of earlier versions were started with --home.
	at := slices.IndexFunc(text, func(word string) bool { return word == "--state-dir" || word == "--home" })
	return len(text) > 1 && text[1] == Command && at >= 0 && at+1 < len(text) && text[at+1] == dir
}

// agentsIn finds the processes of this user that are detached agents of that directory, regardless of its agent.json.
func agentsIn(dir string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil && isAgent(pid, dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// mountOf is the mount point of the path, and whether it is mounted with noexec.
func mountOf(path string) (point string, noexec bool) {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", false
	}
	return findMount(table, path)
}

// findMount parses a mountinfo table (proc_pid_mountinfo(5)): the fifth field is the mount point, the sixth its
// options.
func findMount(table []byte, path string) (point string, noexec bool) {
	for line := range bytes.Lines(table) {
		fields := strings.Fields(string(line))
		if len(fields) < 6 {
			continue
		}
		mounted := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(fields[4])
		within := path == mounted || strings.HasPrefix(path, strings.TrimSuffix(mounted, "/")+"/")
		if within && len(mounted) >= len(point) { // a later mount of the same point covers the earlier one
			point, noexec = mounted, slices.Contains(strings.Split(fields[5], ","), "noexec")
		}
	}
	return point, noexec
}
