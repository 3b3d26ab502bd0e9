// Package ffmpeg runs the machine's ffmpeg for protocols that the agent does not implement: one process per viewer or
// publisher, without a shell, ended with the agent. Media is copied, never decoded.
package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"fullhouse/agent/internal/childprocess"
)

// checkTimeout bounds the question which protocols an ffmpeg has.
const checkTimeout = 10 * time.Second

// program is looked up in PATH.
const program = "ffmpeg"

// Find returns the path of an ffmpeg that supports a protocol, rtsp or srt; errors are sentences without a full stop.
func Find(scheme string) (path string, err error) {
	path, err = Path(strings.ToUpper(scheme))
	if err != nil || scheme == "rtsp" {
		return path, err // RTSP is part of every build that has a network
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	listed, err := childprocess.CommandContext(ctx, path, "-hide_banner", "-v", "error", "-protocols").Output()
	if err != nil {
		return "", fmt.Errorf("%s on the tester does not run: %w", path, withoutOutput(err))
	}
	for _, name := range strings.Fields(string(listed)) {
		if name == scheme {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s on the tester was built without %s; install a build with libsrt (Debian and Ubuntu have it; see: ffmpeg -protocols)", path, strings.ToUpper(scheme))
}

// Path returns the path of ffmpeg, or a sentence without full stop about what needs it.
func Path(purpose string) (path string, err error) {
	path, err = exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("%s needs ffmpeg on the tester, which was not found there; install it (Debian, Ubuntu: apt-get install ffmpeg)", purpose)
	}
	return path, nil
}

// withoutOutput drops what the process printed, which exec keeps in its error.
func withoutOutput(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return errors.New(exit.ProcessState.String())
	}
	return err
}
