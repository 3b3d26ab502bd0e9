package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestTheLogKeepsItsNewestLinesWithinItsBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.log")
	for range 2 { // a log of an earlier agent is continued
		log, err := openLog(path, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 200 {
			if _, err := fmt.Fprintf(log, "line %d\n", i); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Size() > 1000 || info.Size() != log.size {
				t.Fatalf("%d bytes, counted %d, %v", info.Size(), log.size, err)
			}
		}
		if err := log.file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(kept)), "\n")
	for i, line := range lines {
		if want := fmt.Sprintf("line %d", 200-len(lines)+i); line != want {
			t.Fatalf("%q, want %q", line, want)
		}
	}
	if len(lines) < 40 || lastLine(path) != "line 199" {
		t.Errorf("%d lines, the last %q", len(lines), lastLine(path))
	}
	if text := lastLine(path + ".none"); text != "" {
		t.Errorf("%q", text)
	}
}

func TestErrorsOfTheStateDirectoryAreOneSentence(t *testing.T) {
	for cause, word := range map[error]string{
		syscall.ENOSPC: "full", syscall.EDQUOT: "full", syscall.EROFS: "read-only", syscall.EACCES: "permission denied",
		syscall.ENOTDIR: "not a directory", syscall.EIO: "input/output", fs.ErrNotExist: "does not exist",
	} {
		err := stateDirError("/some/home", &fs.PathError{Op: "open", Path: "/some/home/agent.json", Err: cause})
		if text := err.Error(); !strings.Contains(text, word) || !strings.Contains(text, "/some/home") || strings.Contains(text, "\n") {
			t.Errorf("%v: %s", cause, text)
		}
	}
	for cause, word := range map[error]string{syscall.EACCES: "executable", syscall.EAGAIN: "limit of processes", syscall.ENOEXEC: "can't be started"} {
		err := cannotRun("/usr/lib/agent", &fs.PathError{Op: "fork/exec", Path: "/usr/lib/agent", Err: cause})
		if !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "/usr/lib/agent") && !errors.Is(cause, syscall.EAGAIN) {
			t.Errorf("%v: %s", cause, err)
		}
	}
}
