package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder of another user: root creates one, other users use the system's own.
func foreignFolder(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		return "/"
	}
	folder := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestNoStateDirectoryInAFolderOfAnotherUser(t *testing.T) {
	_, err := CreateStateDir(foreignFolder(t))
	if err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Fatalf("a folder of another user was accepted: %v", err)
	}
}

func TestNoStateDirectoryThatOthersCanWrite(t *testing.T) {
	for _, mode := range []os.FileMode{0o770, 0o720, 0o702} {
		folder := filepath.Join(t.TempDir(), "home")
		if err := errors.Join(os.Mkdir(folder, 0o700), os.Chmod(folder, mode)); err != nil {
			t.Fatal(err)
		}
		if _, err := CreateStateDir(folder); err == nil || !strings.Contains(err.Error(), "writable for other users") {
			t.Errorf("a folder of mode %04o was accepted: %v", mode, err)
		}
	}
}

func TestOwnStateDirectory(t *testing.T) {
	if _, err := CreateStateDir(filepath.Join(t.TempDir(), "home")); err != nil {
		t.Fatal(err)
	}
}
