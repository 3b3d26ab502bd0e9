package lab

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/sdp"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/lab/whip"
	"fullhouse/agent/internal/link"
)

const (
	maxOfferBytes = 64 << 10
	typeSDP       = "application/sdp"
)

func (l *Lab) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", l.describe)
	mux.HandleFunc("POST /whep/{stream}", l.play)
	mux.HandleFunc("PATCH /whep/{stream}/{session}", l.trickle)
	mux.HandleFunc("DELETE /whep/{stream}/{session}", l.leave)
	mux.HandleFunc("POST /whip/{stream}", l.publish)
	mux.HandleFunc("PATCH /whip/{stream}/{session}", l.trickle)
	mux.HandleFunc("DELETE /whip/{stream}/{session}", l.endPublishing)
	return mux
}

// describe says what this is to whoever finds the port.
func (l *Lab) describe(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	where := "on loopback only"
	if l.config.Network {
		where = "without access control"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "This is Fullhouse's lab: a WHIP/WHEP origin for trying out and for tests, %[3]s.\n"+
		"It is no media server. It passes on H.264 and Opus as they come, and plays a sample in a loop.\n\n"+
		"Publish: POST http://%[1]s/whip/STREAM   Watch: POST http://%[1]s/whep/STREAM   Media: UDP %[2]s\n\nStreams:\n", l.HTTP(), l.peers.Address(), where)
	streams := l.streamFigures(l.crowds())
	for _, s := range streams {
		fmt.Fprintf(&b, "  %s  from %s, %dx%d, %.0f fps, %.0f kbit/s, %d viewers, on for %s\n", s.Stream, s.Source, s.Width, s.Height,
			s.FPS, s.BitrateKbps, s.Viewers, (time.Duration(s.AgeMs) * time.Millisecond).Round(time.Second))
	}
	if len(streams) == 0 {
		b.WriteString("  none\n")
	}
	_, _ = io.WriteString(w, b.String()) // who asked may be gone
}

// readOffer answers the client itself when there is no offer to read.
func readOffer(w http.ResponseWriter, r *http.Request) (offer string, ok bool) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != typeSDP {
		http.Error(w, "Send the offer with Content-Type: application/sdp.", http.StatusUnsupportedMediaType)
		return "", false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxOfferBytes))
	if err != nil {
		http.Error(w, fmt.Sprintf("The offer can't be read: %v.", err), http.StatusBadRequest)
		return "", false
	}
	return string(body), true
}

func (l *Lab) play(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("stream")
	s := l.find(name)
	if s == nil || !l.isLive(s) {
		http.Error(w, l.noStream(name).Error(), http.StatusNotFound)
		return
	}
	text, ok := readOffer(w, r)
	if !ok {
		return
	}
	offer, err := sdp.ParseOffer(text)
	if err != nil {
		http.Error(w, sentence(err), statusOf(err))
		return
	}
	session, answer, err := l.peers.Open(s.fan, name, offer)
	if errors.Is(err, whep.ErrRefused) {
		http.Error(w, fmt.Sprintf("The lab was told to refuse viewer %d of %s and those after it (refuseFrom).", s.fan.Conditions().Ceiling.RefuseFrom, name),
			http.StatusServiceUnavailable)
		return
	}
	if err != nil {
		http.Error(w, fmt.Sprintf("The lab serves %d viewers at most, and they are here.", whep.MaxSessions), http.StatusServiceUnavailable)
		return
	}
	session.NoteUserAgent(r.UserAgent())
	if l.hasEnded(s) { // while the offer was read
		l.peers.End(session, false)
		http.Error(w, l.noStream(name).Error(), http.StatusNotFound)
		return
	}
	created(w, "/whep/"+url.PathEscape(name)+"/"+session.ID, answer)
}

func created(w http.ResponseWriter, location, answer string) {
	w.Header().Set("Content-Type", typeSDP)
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer) // a client that is gone is noticed by its silence
}

// trickle takes no candidates: the lab is the lite side and learns the other's address from its checks.
func (l *Lab) trickle(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNoContent)
}

func (l *Lab) leave(w http.ResponseWriter, r *http.Request) {
	s := l.find(r.PathValue("stream"))
	if s != nil {
		if session := l.session(s, r.PathValue("session")); session != nil {
			l.peers.End(session, true)
			return
		}
	}
	http.Error(w, "There is no such session; it may have ended.", http.StatusNotFound)
}

func (l *Lab) publish(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("stream")
	if err := checkName(name); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	offer, ok := readOffer(w, r)
	if !ok {
		return
	}
	s := &stream{name: name, source: sourceWHIP, resource: whep.NewID(), publishedAt: time.Now()}
	s.fan = fanout.NewLive(func() {
		if publisher := l.publisherOf(s); publisher != nil {
			publisher.WantKeyframe()
		}
	})
	if err := l.reserve(s); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	publisher, answer, err := l.publishers.Publish(offer, s.fan, func() { l.goLive(s) }, func(reason string) { l.lost(s, reason) })
	if err != nil {
		_, _ = l.endStream(s, "its offer was refused") // nothing was begun that could fail to end
		http.Error(w, sentence(err), statusOf(err))
		return
	}
	if !l.adopt(s, publisher) { // it ended meanwhile
		_ = publisher.Close() // the stream's end is told already
		http.Error(w, l.noStream(name).Error(), http.StatusNotFound)
		return
	}
	created(w, "/whip/"+url.PathEscape(name)+"/"+s.resource, answer)
}

func (l *Lab) endPublishing(w http.ResponseWriter, r *http.Request) {
	s := l.find(r.PathValue("stream"))
	if s == nil || s.resource == "" || s.resource != r.PathValue("session") {
		http.Error(w, "There is no such session; it may have ended.", http.StatusNotFound)
		return
	}
	if _, err := l.endStream(s, "its publisher has ended it"); err != nil {
		l.config.Log.Printf("The publisher of %s did not close well: %v.", s.name, err)
	}
}

// statusOf tells an offer without a usable codec from one that is no offer.
func statusOf(err error) int {
	if errors.Is(err, sdp.ErrNoCodec) || errors.Is(err, whip.ErrNoCodec) {
		return http.StatusNotAcceptable
	}
	return http.StatusBadRequest
}

// sentence makes one of an error's text.
func sentence(err error) string {
	var refusal *link.Error
	if errors.As(err, &refusal) {
		return refusal.Message
	}
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
