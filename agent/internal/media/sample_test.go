package media

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const folder = "../../../assets/lab"

func TestTheShippedSampleIsSmallEnough(t *testing.T) {
	sample, err := LoadSample(folder, "sample-240p")
	if err != nil {
		t.Fatal(err)
	}
	if sample.Width != 426 || sample.Height != 240 || sample.FPS != 25 || sample.Duration != 12*time.Second {
		t.Errorf("%dx%d, %g fps, %s", sample.Width, sample.Height, sample.FPS, sample.Duration)
	}
	if kilobits, packets := sample.Rate(); kilobits < 100 || kilobits > 170 || packets > 45 {
		t.Errorf("%.0f kbit/s in %.1f packets/s", kilobits, packets)
	}
	frames, keyframes, perFrame := 0, []time.Duration{}, 0
	for _, p := range sample.Packets {
		if p.Kind == Audio {
			continue
		}
		if perFrame++; p.Keyframe {
			keyframes = append(keyframes, p.At)
		}
		if len(p.Payload) > MaxPayload {
			t.Errorf("a payload of %d bytes at %s", len(p.Payload), p.At)
		}
		if p.Marker {
			isKey := len(keyframes) > 0 && keyframes[len(keyframes)-1] == p.At
			if !isKey && perFrame != 1 || perFrame > 6 {
				t.Errorf("%d packets for the picture at %s", perFrame, p.At)
			}
			frames++
			perFrame = 0
		}
	}
	if frames != 300 || len(keyframes) != 6 || keyframes[1]-keyframes[0] != 2*time.Second {
		t.Errorf("%d pictures, keyframes at %v", frames, keyframes)
	}
}

func TestSamplesThatCantLoopAreRefused(t *testing.T) {
	video, err := os.ReadFile(filepath.Join(folder, "sample-240p.h264"))
	if err != nil {
		t.Fatal(err)
	}
	audio, err := os.ReadFile(filepath.Join(folder, "sample-240p.ogg"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		video, audio []byte
		wantText     string
	}{
		"short audio": {video, audio[:secondPage(t, audio)], "s.ogg is not usable"},
		"no video":    {[]byte("hello"), audio, "s.h264 is not usable"},
		"no audio":    {video, []byte("hello"), "s.ogg is not usable"},
	} {
		temporary := t.TempDir()
		for file, content := range map[string][]byte{"s.h264": c.video, "s.ogg": c.audio} {
			if err := os.WriteFile(filepath.Join(temporary, file), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := LoadSample(temporary, "s"); err == nil || !strings.Contains(err.Error(), c.wantText) {
			t.Errorf("%s: %v, want %q", name, err, c.wantText)
		}
	}
	if _, err := LoadSample(t.TempDir(), "s"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// secondPage finds where the file can be cut between pages, late enough to keep the headers and some audio.
func secondPage(t *testing.T, file []byte) int {
	t.Helper()
	at := strings.LastIndex(string(file), "OggS")
	if at <= 0 {
		t.Fatal("one page only")
	}
	return at
}
