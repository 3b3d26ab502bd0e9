// Package remux makes files of containers that the agent does not read into ones that it reads, by the machine's
// ffmpeg: the coded media is copied.
package remux

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/ffmpeg"
	"fullhouse/agent/internal/media"
)

// timeout bounds one attempt; a file of the largest permitted size is copied in seconds.
const timeout = time.Minute

// Extensions are the files that are read this way.
var Extensions = []string{".ts", ".m2ts", ".flv", ".mkv", ".webm", ".avi"}

// formats are the only ones that ffmpeg may detect: no playlists, which could name other files.
const formats = "mpegts,flv,matroska,webm,avi"

// maxBytes ends a copy that is larger than what is loaded from it.
var maxBytes = strconv.Itoa(media.MaxFile + 1)

var video = []string{"-map", "0:v:0", "-c", "copy"}

// attempts are tried in order: ISO/IEC 14496-12 has no VP8, and not each audio codec.
var attempts = []struct {
	extension string
	arguments []string
}{
	{".mp4", append(video, "-map", "0:a:0?")},
	{".mp4", video},
	{".ivf", video},
}

// Load copies the media of a file into a new folder, loads it from there, and removes the folder.
func Load[S any](path string, load func(folder, path string) (S, error)) (sample S, err error) {
	if err := media.CheckFile(path); err != nil {
		return sample, err
	}
	program, err := ffmpeg.Path("reading " + filepath.Ext(path))
	if err != nil {
		return sample, err
	}
	folder, err := os.MkdirTemp("", "fullhouse-remux-") // 0700
	if err != nil {
		return sample, err
	}
	defer func() {
		if removing := os.RemoveAll(folder); err == nil {
			err = removing
		}
	}()
	stem := filepath.Join(folder, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	for _, attempt := range attempts {
		target := stem + attempt.extension
		if err = run(program, path, target, attempt.arguments); err != nil {
			continue
		}
		if attempt.extension == ".ivf" { // its audio is a file beside it
			_ = run(program, path, stem+".ogg", []string{"-map", "0:a:0", "-c", "copy"}) // without audio, or not Opus
		}
		return load("", target)
	}
	return sample, fmt.Errorf("ffmpeg could not copy the video of %s: %w", filepath.Base(path), err)
}

func run(program, from, to string, arguments []string) error {
	all := append([]string{"-protocol_whitelist", "file", "-format_whitelist", formats, "-i", "file:" + from}, arguments...)
	log := &log{words: ffmpeg.NewWords(&url.URL{Scheme: "file", Opaque: from})}
	process, err := ffmpeg.Start(program, append(all, "-avoid_negative_ts", "make_zero", "-fs", maxBytes, "-y", "file:"+to), false, log)
	if err != nil {
		return fmt.Errorf("starting %s failed: %w", program, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	select {
	case <-process.Done():
	case <-ctx.Done():
		process.Stop(ctx, true)
		return fmt.Errorf("it took longer than %s", timeout)
	}
	if err := process.Err(); err != nil {
		log.mutex.Lock()
		defer log.mutex.Unlock()
		if reason := log.words.Reason(); reason != "" {
			return fmt.Errorf("%s", reason)
		}
		return err
	}
	return nil
}

// log keeps the reason of a failure.
type log struct {
	mutex sync.Mutex
	words *ffmpeg.Words
}

func (l *log) Output([]byte) {}
func (l *log) Ended()        {}
func (l *log) Log(line []byte) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.words.Line(line)
}
