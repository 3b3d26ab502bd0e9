// Package push publishes over RTSP and SRT by the machine's ffmpeg, one process per publisher. ffmpeg gets the stream as
// FLV at its own pace, and passes the packets on without decoding them.
package push

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/ffmpeg"
	"fullhouse/agent/internal/ffmpeg/relay"
	"fullhouse/agent/internal/flv"
)

// Config is what a session needs.
type Config struct {
	// FFmpeg is the path of the program.
	FFmpeg string
	// URL is rtsp, rtsps or srt.
	URL *url.URL
	// Timeout is how long the server may take to accept the stream.
	Timeout time.Duration
	// OnAccepted is called once, when the server has accepted the stream.
	OnAccepted func()
}

// Session is one running publisher. Its methods except EndInput are for one goroutine.
type Session struct {
	config  Config
	process *ffmpeg.Process
	relay   *relay.Relay
	started time.Time
	tag     []byte

	mutex      sync.Mutex
	words      *ffmpeg.Words
	isAccepted bool
}

// Open starts the process. The server's answer is reported by OnAccepted, or as the reason why the session is lost.
func Open(config Config, video, audio []byte) (*Session, error) {
	s := &Session{config: config, words: ffmpeg.NewWords(config.URL), started: time.Now()}
	var err error
	if s.relay, err = relay.Open(config.URL); err != nil {
		return nil, fmt.Errorf("opening a socket for ffmpeg failed: %w", err)
	}
	s.words.Through(s.relay.Address, config.URL.Host)
	process, err := ffmpeg.Start(config.FFmpeg, config.arguments(s.relay.Address), true, (*lines)(s))
	if err != nil {
		s.relay.Close()
		return nil, fmt.Errorf("starting %s failed: %w", config.FFmpeg, err)
	}
	s.process = process
	head := flv.AppendTag(flv.AppendHeader(nil, audio != nil), flv.TypeVideo, 0, video)
	if audio != nil {
		head = flv.AppendTag(head, flv.TypeAudio, 0, audio)
	}
	if _, err := process.Input.Write(head); err != nil {
		return s, s.lost()
	}
	return s, nil
}

// arguments make ffmpeg read FLV from its standard input and publish it to an address, which has no secrets. Its input
// can be nothing else, so that no file is read.
func (c Config) arguments(address string) []string {
	arguments := []string{"-protocol_whitelist", "pipe", "-analyzeduration", "1000000", "-f", "flv", "-i", "pipe:0", "-c", "copy", "-flush_packets", "1"}
	if c.URL.Scheme == "srt" {
		return append(arguments, "-f", "mpegts", address)
	}
	return append(arguments, "-f", "rtsp", "-rtsp_transport", "tcp", address)
}

// Picture sends the message of a picture.
func (s *Session) Picture(at time.Duration, payload []byte) (bytes int, err error) {
	return s.send(flv.TypeVideo, at, payload)
}

// Audio sends the message of an audio frame.
func (s *Session) Audio(at time.Duration, payload []byte) (bytes int, err error) {
	return s.send(flv.TypeAudio, at, payload)
}

func (s *Session) send(kind byte, at time.Duration, payload []byte) (bytes int, err error) {
	s.tag = flv.AppendTag(s.tag[:0], kind, uint32(at.Milliseconds()), payload)
	if _, err := s.process.Input.Write(s.tag); err != nil {
		return 0, s.lost()
	}
	return len(payload), nil
}

// Lost returns why the stream ended, nil while it has not.
func (s *Session) Lost() error {
	select {
	case <-s.process.Done():
		return s.lost()
	default:
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.isAccepted && time.Since(s.started) > s.config.Timeout {
		return fmt.Errorf("%s did not accept the stream within %s", s.config.URL.Host, s.config.Timeout)
	}
	return nil
}

// lost waits for the process, which reads no more, to say why.
func (s *Session) lost() error {
	select {
	case <-s.process.Done():
	case <-time.After(time.Second):
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	host, reason := s.config.URL.Host, s.words.Reason()
	if failure := s.relay.Failure(); failure != "" {
		s.words.Replace(failure)
		reason = failure
	}
	if reason == "" {
		reason = "it gave no reason"
	}
	if s.isAccepted {
		return fmt.Errorf("ffmpeg lost the stream to %s: %s", host, reason)
	}
	_, _, hint := ffmpeg.Classify(s.words, false, false)
	if hint != "" {
		hint = "; " + hint
	}
	return fmt.Errorf("ffmpeg could not publish to %s: %s%s", host, reason, hint)
}

// EndInput ends the stream, also while a message is being sent.
func (s *Session) EndInput() {
	_ = s.process.Input.Close() // may have been closed before
}

// Disconnect ends the process, which closes its session at the server unless forced.
func (s *Session) Disconnect(force bool) error {
	s.process.Stop(context.Background(), force)
	s.relay.Close()
	return nil
}

// lines separates the calls of the process from the session's own methods.
type lines Session

// Output gets nothing: ffmpeg writes no media to its standard output.
func (l *lines) Output([]byte) {}

// Log gets a message of ffmpeg. It names its output when the server has accepted the stream.
func (l *lines) Log(line []byte) {
	s := (*Session)(l)
	s.mutex.Lock()
	s.words.Line(line)
	isNew := !s.isAccepted && strings.HasPrefix(string(line), "[info] Output #0")
	s.isAccepted = s.isAccepted || isNew
	s.mutex.Unlock()
	if isNew {
		s.config.OnAccepted()
	}
}

// Ended does nothing: Lost reports it.
func (l *lines) Ended() {}
