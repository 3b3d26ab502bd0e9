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

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/sdp"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/lab/whip"
	"fullhouse/agent/internal/protocol"
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

// describe is the page at the root of the port.
func (l *Lab) describe(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	where := "on loopback only"
	if l.config.Network {
		where = "without access control"
	}
	var b strings.Builder
	fmt.Fprintf(&b, protocol.LabGreeting+": a WHIP/WHEP origin for trials and tests, %[3]s.\n"+
		"It is not a media server: it forwards video (H.264, H.265, VP8, VP9, AV1) and Opus unchanged, and loops samples.\n\n"+
		"Publish: POST http://%[1]s/whip/STREAM   Pull: POST http://%[1]s/whep/STREAM   Media: UDP %[2]s\n\nStreams:\n", l.HTTP(), l.peers.Address(), where)
	streams := l.streamFigures(l.countViewers())
	for _, s := range streams {
		fmt.Fprintf(&b, "  %s  from %s, %dx%d, %.0f fps, %.0f kbit/s, %d viewers, on for %s\n", s.Stream, s.Source, s.Width, s.Height,
			s.FPS, s.BitrateKbps, s.Viewers, (time.Duration(s.AgeMs) * time.Millisecond).Round(time.Second))
	}
	if len(streams) == 0 {
		b.WriteString("  none\n")
	}
	_, _ = io.WriteString(w, b.String()) // the client may be gone
}

// readOffer responds to the client itself if the offer is unreadable.
func readOffer(w http.ResponseWriter, r *http.Request) (offer string, ok bool) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != typeSDP {
		http.Error(w, "Send the offer with Content-Type: application/sdp.", http.StatusUnsupportedMediaType)
		return "", false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxOfferBytes))
	if err != nil {
		http.Error(w, fmt.Sprintf("Reading the offer failed: %v.", err), http.StatusBadRequest)
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
	offer, err := sdp.ParseOffer(text, s.fan.Codec())
	if err != nil {
		http.Error(w, sentence(err), statusOf(err))
		return
	}
	session, answer, err := l.peers.Open(s.fan, name, offer)
	if errors.Is(err, whep.ErrRefused) {
		http.Error(w, fmt.Sprintf("The lab is configured to refuse viewer %d of %s and later ones (refuseFrom).", s.fan.Conditions().Ceiling.RefuseFrom, name),
			http.StatusServiceUnavailable)
		return
	}
	if err != nil {
		http.Error(w, fmt.Sprintf("The lab has reached its maximum of %d viewers.", whep.MaxSessions), http.StatusServiceUnavailable)
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
	_, _ = io.WriteString(w, answer) // a disconnected client times out
}

// trickle ignores candidates: the lab is ICE lite and learns the peer's address from its checks.
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
	http.Error(w, "Session not found; it may have ended.", http.StatusNotFound)
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
		_, _ = l.endStream(s, "the offer was refused") // no publisher yet that could fail to close
		http.Error(w, sentence(err), statusOf(err))
		return
	}
	if !l.adopt(s, publisher) { // it ended meanwhile
		_ = publisher.Close() // the stream's end is reported already
		http.Error(w, l.noStream(name).Error(), http.StatusNotFound)
		return
	}
	created(w, "/whip/"+url.PathEscape(name)+"/"+s.resource, answer)
}

func (l *Lab) endPublishing(w http.ResponseWriter, r *http.Request) {
	s := l.find(r.PathValue("stream"))
	if s == nil || s.resource == "" || s.resource != r.PathValue("session") {
		http.Error(w, "Session not found; it may have ended.", http.StatusNotFound)
		return
	}
	if _, err := l.endStream(s, "its publisher ended it"); err != nil {
		l.config.Log.Printf("Closing the publisher of %s failed: %v.", s.name, err)
	}
}

// statusOf distinguishes an offer without a usable codec from an invalid offer.
func statusOf(err error) int {
	if errors.Is(err, sdp.ErrNoCodec) || errors.Is(err, whip.ErrNoCodec) {
		return http.StatusNotAcceptable
	}
	return http.StatusBadRequest
}

// sentence turns an error's text into a sentence.
func sentence(err error) string {
	var refusal *control.Error
	if errors.As(err, &refusal) {
		return refusal.Message
	}
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
