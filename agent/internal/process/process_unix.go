//go:build unix

package process

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime is user and system time of this process so far; false if unknown.
func CPUTime() (time.Duration, bool) {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}

func countEntries(folder string) int {
	directory, err := os.Open(folder)
	if err != nil {
		return 0
	}
	defer directory.Close()
	names, err := directory.Readdirnames(-1)
	if err != nil {
		return 0
	}
	return len(names) - 1 // not counting the descriptor that lists them
}

// RaiseOpenFiles raises the soft limit of descriptors to the hard one and returns the resulting limit.
func RaiseOpenFiles() (uint64, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, err
	}
	raised := unix.Rlimit{Cur: limit.Max, Max: limit.Max}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &raised); err != nil {
		return uint64(limit.Cur), err
	}
	return uint64(raised.Cur), nil
}
