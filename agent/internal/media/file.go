package media

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/media/h264"
	"fullhouse/agent/internal/media/h265"
	"fullhouse/agent/internal/media/ivf"
	"fullhouse/agent/internal/media/rtppayload"
)

const (
	// MaxFile bounds what is read into memory.
	MaxFile = 512 << 20
	// perByte and fixedCost bound what a file takes in memory as packets: some copies of its content, and the packets of
	// a small one.
	perByte   = 2
	fixedCost = 64 << 20
	// nalCost and packetCost are what a NAL unit and a packet take besides their content.
	nalCost    = 48
	packetCost = 80
	// maxUnits bounds the NAL units of a byte stream: an hour of eight slices at 30 a second.
	maxUnits = 1_000_000
)

// asPackets is what a file has too much of, in sentences.
const asPackets = "media as packets"

// budgetOf is how much memory the packets of a file may take.
func budgetOf(file []byte) *budget.Budget {
	return budget.New("it", perByte*int64(len(file))+fixedCost, maxUnits, "use a shorter file")
}

// videoExtensions are the files that a sample's video may have, in the order in which they are tried.
var videoExtensions = []string{".h264", ".h265", ".ivf", ".mp4", ".mov", ".m4v"}

// ErrNotVideo is wrapped when a path is not that of a supported file.
var ErrNotVideo = errors.New("not a sample")

// frame is one picture of a file, as its codec's packetizer expects it.
type frame struct {
	at   time.Duration
	data []byte
	nals h264.AccessUnit // of H.264 only
}

// clip is the coded video of a file.
type clip struct {
	codec    rtppayload.Codec
	frames   []frame
	duration time.Duration
	fps      float64
	left     *budget.Budget
}

// Load loads a sample by its name in a folder, or by the path of its video file. All users of an unchanged file share
// one sample, which they must not change.
func Load(folder, nameOrPath string) (*Sample, error) {
	if isName(nameOrPath) {
		return LoadSample(folder, nameOrPath)
	}
	return loadFile(nameOrPath)
}

func isName(nameOrPath string) bool {
	return nameOrPath == filepath.Base(nameOrPath) && !slices.Contains(videoExtensions, filepath.Ext(nameOrPath))
}

// LoadSample reads the video and the audio of a sample from a folder: NAME.h264 or NAME.h265 (Annex B, 25 fps), or
// NAME.ivf, and NAME.ogg (Opus).
func LoadSample(folder, name string) (*Sample, error) {
	for _, extension := range videoExtensions {
		sample, err := loadFile(filepath.Join(folder, name+extension))
		if !errors.Is(err, fs.ErrNotExist) {
			return sample, err
		}
	}
	return nil, errNoSample(folder, name)
}

// loadFile reads a video file and the Ogg file of the same name next to it. Without an Ogg file there is no audio.
func loadFile(path string) (*Sample, error) {
	extension := filepath.Ext(path)
	base := strings.TrimSuffix(path, extension)
	if !slices.Contains(videoExtensions, extension) {
		return nil, errExtension(path)
	}
	version := versionOf(path, base+".ogg")
	if known := loaded.find(version); known != nil {
		return known, nil
	}
	video, err := readFile(path)
	if err != nil {
		return nil, err
	}
	sample := &Sample{Name: filepath.Base(base)}
	if err := sample.addVideo(extension, video); err != nil {
		return nil, fmt.Errorf("%s is not usable: %w", filepath.Base(path), err)
	}
	if isMP4(extension) { // it has its own audio
		loaded.keep(version, sample)
		return sample, nil
	}
	audio, err := readFile(base + ".ogg")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		loaded.keep(version, sample)
		return sample, nil
	case err != nil:
		return nil, err
	}
	if err := sample.addAudio(audio); err != nil {
		return nil, fmt.Errorf("%s.ogg is not usable: %w", sample.Name, err)
	}
	loaded.keep(version, sample)
	return sample, nil
}

func readFile(path string) ([]byte, error) {
	if err := CheckFile(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// CheckFile refuses what is not a file of a permitted size.
func CheckFile(path string) error {
	about, err := os.Stat(path)
	if err == nil && (about.Size() > MaxFile || !about.Mode().IsRegular()) {
		err = fmt.Errorf("%s is not a file of at most %d MB", path, MaxFile>>20)
	}
	return err
}

func readVideo(extension string, file []byte) (*clip, error) {
	switch extension {
	case ".h264":
		return readH264(file)
	case ".h265":
		return readH265(file)
	}
	return readIVF(file)
}

// annexBTime is the time of a picture in a byte stream, which has none of its own.
func annexBTime(picture int) time.Duration { return time.Duration(picture) * time.Second / sampleFPS }

// budgetOfUnits counts the NAL units of a byte stream before it is split.
func budgetOfUnits(file []byte) (*budget.Budget, error) {
	left := budgetOf(file)
	return left, left.Entries("NAL units", int64(bytes.Count(file, []byte{0, 0, 1})))
}

func readH264(file []byte) (*clip, error) {
	left, err := budgetOfUnits(file)
	if err != nil {
		return nil, err
	}
	units, err := h264.ReadAnnexB(file)
	if err != nil {
		return nil, err
	}
	c := &clip{left: left, codec: rtppayload.H264, duration: annexBTime(len(units)), fps: sampleFPS}
	for i, unit := range units {
		c.frames = append(c.frames, frame{at: annexBTime(i), nals: unit})
	}
	return c, nil
}

func readH265(file []byte) (*clip, error) {
	left, err := budgetOfUnits(file)
	if err != nil {
		return nil, err
	}
	pictures, err := h265.ReadAnnexB(file)
	if err != nil {
		return nil, err
	}
	c := &clip{left: left, codec: rtppayload.H265, duration: annexBTime(len(pictures)), fps: sampleFPS}
	for i, picture := range pictures {
		c.frames = append(c.frames, frame{at: annexBTime(i), data: picture.AnnexB})
	}
	return c, nil
}

var fourCCs = map[string]rtppayload.Codec{"VP80": rtppayload.VP8, "VP90": rtppayload.VP9, "AV01": rtppayload.AV1}

// readIVF reads a file in which the last frame is as long as the others are on average.
func readIVF(file []byte) (*clip, error) {
	read, err := ivf.Read(file)
	if err != nil {
		return nil, err
	}
	c := &clip{codec: fourCCs[read.FourCC], left: budgetOf(file)}
	last := len(read.Frames) - 1
	switch {
	case c.codec == rtppayload.None:
		return nil, fmt.Errorf("its codec %q is not supported", read.FourCC)
	case last == 0 || read.Frames[last].At == 0:
		return nil, errors.New("it has only one frame")
	}
	length := read.Frames[last].At / time.Duration(last)
	c.duration = (read.Frames[last].At + length).Round(time.Millisecond)
	c.fps = float64(last) / read.Frames[last].At.Seconds()
	for _, one := range read.Frames {
		c.frames = append(c.frames, frame{at: one.At, data: one.Data})
	}
	return c, nil
}
