package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/lab/whip"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

// sourceWHIP is the source of a published stream; a sample's source is its name.
const sourceWHIP = "whip"

// longestName is in characters; the console has the same rule in src/domain/plan/streamName.ts.
const longestName = 128

// stream is one name on the lab.
type stream struct {
	name        string
	source      string
	fan         *fanout.Stream
	sample      *media.Sample   // nil for a published one
	publisher   *whip.Publisher // nil for a sample
	resource    string          // of the WHIP session
	publishedAt time.Time
	live        bool // has sent media; a sample is live at once
	ended       bool

	// The figures of the last interval are written by the goroutine that takes the samples.
	figures          fanout.Figures
	fps              float64
	kilobits, packet float64
}

// PublishSample plays a sample as the stream.
func (l *Lab) PublishSample(name, sampled string) (whepURL string, err error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	sample, err := media.Load(l.config.Samples, sampled)
	switch {
	case errors.Is(err, media.ErrNotVideo):
		return "", control.BadRequest("%v.", err)
	case errors.Is(err, fs.ErrNotExist):
		return "", control.Errorf("no-sample", "Sample %q does not exist; the samples' folder is %s, set with --samples.", sampled, l.config.Samples)
	case err != nil:
		return "", control.Errorf("no-sample", "Loading the sample %q failed: %v.", sampled, err)
	}
	s := &stream{name: name, source: sample.Name, sample: sample, fan: fanout.NewSample(sample), publishedAt: time.Now(), live: true, fps: sample.FPS}
	s.kilobits, s.packet = sample.Rate()
	if err := l.reserve(s); err != nil {
		return "", err
	}
	l.published(s)
	return "http://" + l.HTTP() + "/whep/" + url.PathEscape(name), nil
}

func checkName(name string) error {
	if fault := nameFault(name); fault != "" {
		return control.BadRequest("%q is not a valid stream name: %s.", name, fault)
	}
	return nil
}

// nameFault is why a name is not valid for a stream; empty if it is. Any UTF-8 is allowed except what affects its
// display.
func nameFault(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case !utf8.ValidString(name):
		return "it is not UTF-8"
	case utf8.RuneCountInString(name) > longestName:
		return fmt.Sprintf("it has more than %d characters", longestName)
	case strings.TrimSpace(name) != name:
		return "it starts or ends with a space"
	case strings.HasPrefix(name, "/"):
		return "it starts with a slash"
	}
	for _, part := range strings.Split(name, "/") {
		if part == "." || part == ".." {
			return `"." and ".." are not allowed as parts, because URLs drop them`
		}
	}
	for _, r := range name {
		if unicode.IsControl(r) || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return fmt.Sprintf("it contains a control character, U+%04X", r)
		}
	}
	return ""
}

func (l *Lab) reserve(s *stream) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return control.Errorf("closing", "The lab is closing.")
	}
	if l.streams[s.name] != nil {
		return control.Errorf("stream-exists", "Stream %q exists already on the lab. Unpublish it first or choose another name.", s.name)
	}
	l.streams[s.name] = s
	return nil
}

func (l *Lab) published(s *stream) {
	l.config.Event(protocol.AgentEvent{Name: protocol.EventStreamPublished, Stream: s.name,
		Message: fmt.Sprintf("Stream %s is live, source: %s.", s.name, s.source)})
}

// Unpublish ends a stream and disconnects its viewers.
func (l *Lab) Unpublish(name string) (viewers int, err error) {
	s := l.find(name)
	if s == nil {
		return 0, l.noStream(name)
	}
	return l.endStream(s, "unpublished")
}

func (l *Lab) noStream(name string) error {
	return control.Errorf("no-stream", "Stream %q does not exist%s", name, l.availableStreams())
}

// availableStreams completes a sentence about a missing stream.
func (l *Lab) availableStreams() string {
	names := ""
	for _, s := range l.list() {
		if l.isLive(s) {
			names += " " + s.name
		}
	}
	if names == "" {
		return "; the lab has no streams, publish one first."
	}
	return "; available:" + names + "."
}

func (l *Lab) find(name string) *stream {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.streams[name]
}

// list is all streams by name.
func (l *Lab) list() []*stream {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	streams := make([]*stream, 0, len(l.streams))
	for _, s := range l.streams {
		streams = append(streams, s)
	}
	sort.Slice(streams, func(i, j int) bool { return streams[i].name < streams[j].name })
	return streams
}

// endStream releases the name, disconnects the viewers, and closes the publisher. Only the first call does it.
func (l *Lab) endStream(s *stream, reason string) (viewers int, err error) {
	l.mutex.Lock()
	if s.ended {
		l.mutex.Unlock()
		return 0, nil
	}
	s.ended = true
	delete(l.streams, s.name)
	live, publisher := s.live, s.publisher
	l.mutex.Unlock()
	for _, session := range l.peers.Sessions() {
		if session.Stream == s.fan {
			viewers++
			l.peers.End(session, true)
		}
	}
	if publisher != nil {
		err = publisher.Close()
	}
	if live {
		l.config.Event(protocol.AgentEvent{Name: protocol.EventStreamEnded, Stream: s.name,
			Message: fmt.Sprintf("Stream %s ended: %s. %d viewers disconnected.", s.name, reason, viewers)})
	}
	return viewers, err
}

// session finds a session of the stream, nil for none.
func (l *Lab) session(s *stream, id string) *whep.Session {
	session := l.peers.Find(id)
	if session == nil || session.Stream != s.fan {
		return nil
	}
	return session
}
