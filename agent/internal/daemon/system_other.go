//go:build !linux

package daemon

import (
	"errors"
	"os"
	"syscall"
)

// checkSystem returns an error if agents can't be detached here: testers over SSH are Linux machines.
func checkSystem() error {
	return errors.New("an agent can be started in the background on Linux only; use here: fullhouse-agent audience")
}

func detached() *syscall.SysProcAttr { return nil }

func foreignOwner(os.FileInfo) (owner uint32, foreign bool) { return 0, false }

func lockFile(*os.File) (isLocked bool, err error) { return true, nil }

func isAgent(int, string) bool { return false }

func agentsIn(string) []int { return nil }

func mountOf(string) (point string, noexec bool) { return "", false }
