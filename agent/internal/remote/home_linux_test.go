package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder of another user: root makes one, everybody else has the system's own.
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

func TestNoHomeInAFolderOfAnotherUser(t *testing.T) {
	_, err := Make(foreignFolder(t))
	if err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Fatalf("a folder of another user was taken: %v", err)
	}
}

func TestHomeOfOnesOwn(t *testing.T) {
	if _, err := Make(filepath.Join(t.TempDir(), "home")); err != nil {
		t.Fatal(err)
	}
}
