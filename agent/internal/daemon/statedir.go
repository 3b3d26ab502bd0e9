// Package daemon manages a detached agent on a machine that is accessed over SSH: it is started, found again, queried,
// and ended without leaving anything behind. All its files are in one folder, its state directory.
package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	stateFile = "agent.json"
	logFile   = "agent.log"
	// patterns of temporary files
	temporaryState = ".agent-*.json"
	temporaryProbe = ".probe-*"
	// lockTimeout is how long another start or stop in the same directory may take.
	lockTimeout = 40 * time.Second
	lockEvery   = 20 * time.Millisecond
)

// StateDir is the folder of one agent.
type StateDir struct {
	// Path is absolute and without symbolic links, so that it is unique.
	Path string
	// made is set when CreateStateDir has created the folder.
	made bool
}

// CreateStateDir opens the directory and creates it (0700) if missing. Errors are one sentence.
func CreateStateDir(path string) (StateDir, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return StateDir{}, fmt.Errorf("the folder %s is not usable: %w", path, err)
	}
	_, err = os.Lstat(absolute)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(absolute, 0o700); err != nil {
		return StateDir{}, stateDirError(absolute, err)
	}
	dir, err := OpenStateDir(absolute)
	if err != nil {
		return StateDir{}, err
	}
	dir.made = isNew
	if err := dir.checkMode(); err != nil {
		return StateDir{}, err
	}
	probe, err := os.CreateTemp(dir.Path, temporaryProbe)
	if err != nil {
		return StateDir{}, stateDirError(dir.Path, err)
	}
	_, err = probe.WriteString("Test of write access and free space.\n")
	if err = errors.Join(err, probe.Close(), os.Remove(probe.Name())); err != nil {
		return StateDir{}, stateDirError(dir.Path, err)
	}
	return dir, nil
}

// OpenStateDir opens a state directory that should exist; fs.ErrNotExist if it does not.
func OpenStateDir(path string) (StateDir, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return StateDir{}, fmt.Errorf("the folder %s is not usable: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return StateDir{}, stateDirError(absolute, err)
	}
	return StateDir{Path: real}, nil
}

// checkMode refuses a folder in which another user could replace agent.json or the program.
func (d StateDir) checkMode() error {
	info, err := os.Stat(d.Path)
	if err != nil {
		return stateDirError(d.Path, err)
	}
	if owner, foreign := foreignOwner(info); foreign {
		return fmt.Errorf("the folder %s belongs to another user (uid %d); choose another folder with --state-dir", d.Path, owner)
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("the folder %s is writable for other users (mode %04o); choose another folder with --state-dir, or run: chmod 700 %s", d.Path, mode, d.Path)
	}
	return nil
}

func (d StateDir) state() string { return filepath.Join(d.Path, stateFile) }
func (d StateDir) log() string   { return filepath.Join(d.Path, logFile) }

// lock keeps other starts and stops out of the directory until release is called.
func (d StateDir) lock() (release func(), err error) {
	folder, err := os.Open(d.Path)
	if err != nil {
		return nil, stateDirError(d.Path, err)
	}
	for deadline := time.Now().Add(lockTimeout); ; time.Sleep(lockEvery) {
		isLocked, err := lockFile(folder)
		if err != nil {
			_ = folder.Close() // the error to report is the lock's
			return nil, fmt.Errorf("locking the folder %s failed: %w", d.Path, err)
		}
		if isLocked {
			return func() { _ = folder.Close() }, nil // this also unlocks; nothing was written to it
		}
		if time.Now().After(deadline) {
			_ = folder.Close() // nothing was written to it
			return nil, fmt.Errorf("another start or stop of the agent in %s did not finish within %s; try again", d.Path, lockTimeout)
		}
	}
}

// remove removes the agent's files, and the directory if it is then empty.
func (d StateDir) remove() error {
	for _, path := range append(d.temporary(), d.state(), d.log()) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return stateDirError(d.Path, err)
		}
	}
	d.removeIfEmpty()
	return nil
}

// temporary are files left by an agent that was killed while writing them.
func (d StateDir) temporary() []string {
	var paths []string
	for _, pattern := range []string{temporaryState, temporaryProbe} {
		matches, err := filepath.Glob(filepath.Join(d.Path, pattern))
		if err == nil { // it fails only for a path with brackets, for which nothing is found then
			paths = append(paths, matches...)
		}
	}
	return paths
}

// removeIfEmpty keeps a folder that contains something else, such as the agent's program.
func (d StateDir) removeIfEmpty() { _ = os.Remove(d.Path) }

// stateDirError turns a system error about the directory into one sentence.
func stateDirError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("the folder %s does not exist and can't be created: %w", path, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("the disk of %s is full; free some space, or choose a folder on another disk with --state-dir", path)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the folder %s is mounted read-only; choose another folder with --state-dir", path)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("the folder %s is not writable (%w); choose another folder with --state-dir", path, reason(err))
	}
	return fmt.Errorf("the folder %s is not usable: %w", path, err)
}

// reason is the system's own text, without the path that the sentence contains already.
func reason(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}
