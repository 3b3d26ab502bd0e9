package remux

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fullhouse/agent/internal/media"
)

// TestOtherContainersAreReadAsTheirMP4 compares the pictures with those of the file that was copied.
func TestOtherContainersAreReadAsTheirMP4(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, test := range []struct{ source, extension string }{
		{"h264-aac.mp4", ".ts"}, {"h264-aac.mp4", ".flv"}, {"h264-aac.mp4", ".mkv"}, {"h265-30fps.mp4", ".ts"}, {"vp9-opus.mp4", ".webm"}, {"vp8.ivf", ".webm"}, {"av1.mp4", ".mkv"},
	} {
		t.Run(test.source+test.extension, func(t *testing.T) {
			source := filepath.Join("..", "..", "media", "testdata", test.source)
			path := filepath.Join(t.TempDir(), "with space"+test.extension)
			if out, err := exec.Command("ffmpeg", "-v", "error", "-i", source, "-c", "copy", path).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			want, err := media.LoadVideo("", source)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Load(path, media.LoadVideo)
			if err != nil {
				t.Fatal(err)
			}
			if got.Codec != want.Codec || len(got.Pictures) != len(want.Pictures) || got.Width != want.Width || (got.Audio == nil) != (want.Audio == nil) {
				t.Errorf("%s, %d pictures of %d, %d wide, %d frames of audio of %d", got.Codec, len(got.Pictures), len(want.Pictures), got.Width, len(got.Audio), len(want.Audio))
			}
			sample, err := Load(path, media.Load)
			if err != nil || (sample.Name != "with space") {
				t.Errorf("%v, %v", sample, err)
			}
		})
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestUnreadableFilesAreOneSentence(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret := write("secret.txt", "password")
	for path, want := range map[string]string{
		write("empty.ts", ""): "could not copy the video of empty.ts: Invalid data found when processing input",
		write("playlist.mkv", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n"+secret+"\n#EXT-X-ENDLIST\n"): "could not copy the video of playlist.mkv: Format not on whitelist",
		folder: "is not a file of at most 512 MB",
	} {
		_, err := Load(path, media.LoadVideo)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := Load(filepath.Join(folder, "absent.ts"), media.LoadVideo); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
