// Package play implements viewers of RTSP and SRT by the machine's ffmpeg, one process each. ffmpeg copies the packets
// of the stream and reports each, and the viewer counts them.
package play

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"fullhouse/agent/internal/ffmpeg"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/viewer"
)

// Config is common to all viewers of a job.
type Config struct {
	// FFmpeg is the path of the program.
	FFmpeg string
	// URL is rtsp, rtsps or srt.
	URL          *url.URL
	StageTimeout time.Duration
	// AudioOnly requests no video where the protocol can (RTSP), and ignores it elsewhere.
	AudioOnly bool
}

// Group are the viewers of one job.
type Group struct {
	Config
	common tcpmedia.Common
}

// analysis is how long ffmpeg may examine a stream before it passes on the first packet: until all codecs are known. The
// size of video is known with the first keyframe only, which may be 10 s after a viewer has joined; without it ffmpeg
// passes on nothing.
func (c *Group) analysis() time.Duration {
	if c.AudioOnly {
		return time.Second
	}
	return tcpmedia.FirstFrameTimeout
}

// ParseAddress parses an address of RTSP or SRT; errors are parts of sentences, without the address.
func ParseAddress(text, scheme string) (*url.URL, error) {
	target, err := url.Parse(text)
	shape := fmt.Errorf("expected %s", map[string]string{"rtsp": "rtsp://HOST/STREAM", "srt": "srt://HOST:PORT?streamid=STREAM"}[scheme])
	switch {
	case err != nil || target.Hostname() == "" || target.Scheme != scheme && (scheme != "rtsp" || target.Scheme != "rtsps"):
		return nil, shape
	case scheme == "srt" && target.Port() == "":
		return nil, shape
	}
	if mode := target.Query().Get("mode"); scheme == "srt" && mode != "" && mode != "caller" {
		return nil, errors.New(`its mode must be "caller": the server is the listener`)
	}
	return target, nil
}

// NewGroup makes a group without viewers.
func NewGroup(config Config) *Group {
	c := &Group{Config: config}
	c.common.Host, c.common.Secure = hostPort(config.URL), config.URL.Scheme == "rtsps"
	c.common.StageTimeout, c.common.AudioOnly = config.StageTimeout, config.AudioOnly
	c.common.Accepted, c.common.Unit = "the request", "packets"
	return c
}

func hostPort(target *url.URL) string {
	port := target.Port()
	if port == "" {
		port = map[string]string{"rtsp": "554", "rtsps": "322"}[target.Scheme]
	}
	return net.JoinHostPort(target.Hostname(), port)
}

// source is the stream. Only protocols and formats of the stream itself are allowed, so that no server leads ffmpeg to
// files or other addresses.
func (c *Group) source() ffmpeg.Source {
	source := ffmpeg.Source{Address: c.URL.String(), Analysis: c.analysis()}
	if c.URL.Scheme == "srt" {
		source.Protocols, source.Formats = "srt", "mpegts"
		source.Address, source.Options = withoutTexts(c.URL)
		source.Options = append(source.Options, "connect_timeout", strconv.FormatInt(c.StageTimeout.Milliseconds(), 10))
		if !c.URL.Query().Has("timeout") { // of what is received after the handshake
			source.Options = append(source.Options, "timeout", strconv.FormatInt(max(c.StageTimeout, tcpmedia.SilenceTimeout).Microseconds(), 10))
		}
		return source
	}
	source.Protocols, source.Formats = "rtsp,rtsps,rtp,tcp,udp,tls", "rtsp"
	source.Options = append(source.Options, "rtsp_flags", "prefer_tcp", "timeout", strconv.FormatInt(c.StageTimeout.Microseconds(), 10))
	if c.AudioOnly {
		source.Options = append(source.Options, "allowed_media_types", "audio")
	}
	return source
}

// withoutTexts returns the address without the arguments whose values are any text, and these as options: ffmpeg does
// not decode the per cent signs of an address, so that a server would get "read%3Acam" for "read:cam".
func withoutTexts(of *url.URL) (address string, options []string) {
	if of.Fragment != "" { // "#!::r=cam" as it is: for ffmpeg it belongs to the last argument
		return of.String(), nil
	}
	target := *of
	rest := slices.DeleteFunc(strings.Split(target.RawQuery, "&"), func(argument string) bool {
		name, text, _ := strings.Cut(argument, "=")
		value, err := url.QueryUnescape(text)
		if err != nil || value == "" || !slices.Contains(textArguments, name) {
			return false
		}
		options = append(options, name, value)
		return true
	})
	target.RawQuery = strings.Join(rest, "&")
	return target.String(), options
}

var textArguments = []string{"streamid", "srt_streamid", "passphrase"}

// arguments make ffmpeg report the packets of its source.
func (c *Group) arguments() []string {
	tracks := []string{"-map", "0:v?", "-map", "0:a?"}
	if c.AudioOnly {
		tracks = tracks[2:]
	}
	// Video before the first keyframe is reported too: it is received, and counted as packets.
	return append(tracks, "-c", "copy", "-copyinkf", "-max_interleave_delta", "100000", "-flush_packets", "1", "-f", "framecrc", "pipe:1")
}

// New makes a viewer; it does nothing yet.
func (c *Group) New() viewer.Viewer { return newViewer(c) }

// Tick does nothing: ffmpeg repairs loss where the protocol can.
func (c *Group) Tick(time.Time) {}
