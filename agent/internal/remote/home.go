// Package remote gives the agent a life of its own on a machine that is reached by SSH: it is started detached, found
// again, asked how it is, and ended without leaving anything behind. All it keeps lies in one folder, its home.
package remote

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
	// patterns of files that are there for a moment only
	temporaryState = ".agent-*.json"
	temporaryProbe = ".probe-*"
	// lockPatience is how long another start or stop in the same home may take.
	lockPatience = 40 * time.Second
	lockEvery    = 20 * time.Millisecond
)

// Home is the folder of one agent.
type Home struct {
	// Path is absolute and without symbolic links, so that everybody names the folder alike.
	Path string
	// made is set when Make has made the folder.
	made bool
}

// Make opens the home and makes it (0700) when it is not there. What keeps an agent from living there is one sentence.
func Make(path string) (Home, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Home{}, fmt.Errorf("the folder %s can't be used: %w", path, err)
	}
	_, err = os.Lstat(absolute)
	made := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(absolute, 0o700); err != nil {
		return Home{}, troubled(absolute, err)
	}
	home, err := Find(absolute)
	if err != nil {
		return Home{}, err
	}
	home.made = made
	if err := home.checkMode(); err != nil {
		return Home{}, err
	}
	probe, err := os.CreateTemp(home.Path, temporaryProbe)
	if err != nil {
		return Home{}, troubled(home.Path, err)
	}
	_, err = probe.WriteString("Can this folder be written, and has its disk room?\n")
	if err = errors.Join(err, probe.Close(), os.Remove(probe.Name())); err != nil {
		return Home{}, troubled(home.Path, err)
	}
	return home, nil
}

// Find opens a home that should exist; fs.ErrNotExist when it does not.
func Find(path string) (Home, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Home{}, fmt.Errorf("the folder %s can't be used: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return Home{}, troubled(absolute, err)
	}
	return Home{Path: real}, nil
}

// checkMode refuses a folder in which somebody else could put another agent.json or another program.
func (h Home) checkMode() error {
	info, err := os.Stat(h.Path)
	if err != nil {
		return troubled(h.Path, err)
	}
	if owner, foreign := foreignOwner(info); foreign {
		return fmt.Errorf("the folder %s belongs to another user (number %d), so no agent is started there; choose a folder of its own with --home", h.Path, owner)
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("other users may write to the folder %s (mode %04o), so no agent is started there; choose a folder of its own with --home, or close it with: chmod 700 %s", h.Path, mode, h.Path)
	}
	return nil
}

func (h Home) state() string { return filepath.Join(h.Path, stateFile) }
func (h Home) log() string   { return filepath.Join(h.Path, logFile) }

// lock keeps other starts and stops out of the home until release is called.
func (h Home) lock() (release func(), err error) {
	folder, err := os.Open(h.Path)
	if err != nil {
		return nil, troubled(h.Path, err)
	}
	for deadline := time.Now().Add(lockPatience); ; time.Sleep(lockEvery) {
		taken, err := lockFile(folder)
		if err != nil {
			_ = folder.Close() // the lock's reason is the one to tell
			return nil, fmt.Errorf("the folder %s can't be locked: %w", h.Path, err)
		}
		if taken {
			return func() { _ = folder.Close() }, nil // which also unlocks; nothing was written to it
		}
		if time.Now().After(deadline) {
			_ = folder.Close() // nothing was written to it
			return nil, fmt.Errorf("another start or stop of the agent in %s did not end within %s; try again", h.Path, lockPatience)
		}
	}
}

// remove takes away what the agent keeps in its home, and the home when nothing else is in it.
func (h Home) remove() error {
	for _, path := range append(h.temporary(), h.state(), h.log()) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return troubled(h.Path, err)
		}
	}
	h.removeIfEmpty()
	return nil
}

// temporary are files that an agent which was killed while it wrote them has left.
func (h Home) temporary() []string {
	var paths []string
	for _, pattern := range []string{temporaryState, temporaryProbe} {
		found, err := filepath.Glob(filepath.Join(h.Path, pattern))
		if err == nil { // it fails for a path with brackets only, in which nothing is found then
			paths = append(paths, found...)
		}
	}
	return paths
}

// removeIfEmpty leaves a folder that holds something else, such as the agent's program, to who put it there.
func (h Home) removeIfEmpty() { _ = os.Remove(h.Path) }

// troubled makes one sentence of what the system says about the home.
func troubled(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("the folder %s is not there and can't be made: %w", path, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("the disk that holds %s is full; free some space there, or choose a folder on another disk with --home", path)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the folder %s is on a disk that is mounted read-only; choose another folder with --home", path)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("the folder %s can't be written (%w); choose another folder with --home", path, reason(err))
	}
	return fmt.Errorf("the folder %s can't be used: %w", path, err)
}

// reason is the system's own word, without the path that the sentence names already.
func reason(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}
