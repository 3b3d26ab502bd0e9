package hls

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/hls/content"
	"fullhouse/agent/internal/hls/playlist"
	"fullhouse/agent/internal/httpstream"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/signalling"
)

const (
	// maxInitBytes, maxKeyBytes and maxSegmentBytes are many times real ones.
	maxInitBytes    = 1 << 20
	maxKeyBytes     = 4 << 10 // a refusal with status 200 may be longer than a key
	maxSegmentBytes = 512 << 20
	// headTimeout and loadTimeout bound requests of media, as players do.
	headTimeout = 10 * time.Second
	loadTimeout = 2 * time.Minute
)

type requestKind int

const (
	ofPlaylist requestKind = iota
	ofInit
	ofKey
	ofSegment
)

func (k requestKind) String() string {
	return [...]string{"playlist", "initialization section", "decryption key", "segment"}[k]
}

// request is one resource that is being fetched. The viewer's mutex guards it.
type request struct {
	kind     requestKind
	track    *track // nil for the first playlist
	target   *url.URL
	resource playlist.Resource
	piece    piece           // of a segment
	via      *proxy.Choice   // that gets it; nil for none
	cipher   *content.Cipher // nil unless it is encrypted
	attempt  int

	isResent  bool
	isDropped bool // its response is not needed any more
	isOver    bool
	redirects int
	startedAt int64 // including redirects and waiting for a connection
	sentAt    int64
	headAt    int64
	isGzip    bool
	body      []byte
	pool      *budget.Pool // that has the body's bytes
	bytes     int64
	scanner   *content.Scanner
	known     *known
	redirect  *url.URL
	refusal   *failure.Failure
}

// stage is that of a failure of the request.
func (r *request) stage() failure.Stage {
	switch {
	case r.track != nil && r.track.viewer.firstMediaAt != 0:
		return failure.Media
	case r.kind == ofPlaylist:
		return failure.Signalling
	}
	return failure.FirstPacket
}

func (r *request) elapsed() time.Duration { return failure.Since(r.startedAt) }

// appendTo appends the text of the request. An address from url.Parse has no characters that end a line.
func (r *request) appendTo(text []byte, query string, headers []byte, cookies string) []byte {
	text = append(text, "GET "...)
	if r.via != nil {
		text = append(append(text, "http://"...), r.target.Host...)
	}
	text = append(text, r.target.RequestURI()...)
	if query != "" {
		separator := byte('?')
		if r.target.RawQuery != "" || r.target.ForceQuery {
			separator = '&'
		}
		text = append(append(text, separator), query...)
	}
	text = append(text, " HTTP/1.1\r\nHost: "...)
	text = append(text, r.target.Host...)
	text = append(text, "\r\n"...)
	if r.via != nil && r.via.Authorization != "" {
		text = append(append(append(text, "Proxy-Authorization: "...), r.via.Authorization...), "\r\n"...)
	}
	text = append(text, headers...)
	if cookies != "" {
		text = append(append(append(text, "Cookie: "...), cookies...), "\r\n"...)
	}
	if r.kind == ofPlaylist {
		text = append(text, "Accept-Encoding: gzip\r\n"...)
	}
	if r.resource.Length > 0 {
		text = fmt.Appendf(text, "Range: bytes=%d-%d\r\n", r.resource.Offset, r.resource.Offset+r.resource.Length-1)
	}
	return append(text, "\r\n"...)
}

// plainHeaders are those of viewers without own ones, and of requests to other servers than the origin.
var plainHeaders = headersOf(nil)

// headersOf is the text of the headers that do not depend on the request; own ones replace ours.
func headersOf(configured http.Header) []byte {
	header := http.Header{"User-Agent": {signalling.UserAgent}, "Accept": {"*/*"}}
	maps.Copy(header, configured)
	header.Del("Cookie") // joined with those that servers set
	var text bytes.Buffer
	_ = header.Write(&text) // a buffer accepts everything
	return text.Bytes()
}

// head decides by the head of the response.
func (r *request) head(response *http.Response, v *Viewer) error {
	r.headAt = v.now
	v.cookies.take(r.target, response)
	status := response.StatusCode
	expected := http.StatusOK
	if r.resource.Length > 0 {
		expected = http.StatusPartialContent
	}
	switch {
	case status >= 300 && status < 400 && response.Header.Get("Location") != "":
		location, err := r.target.Parse(response.Header.Get("Location"))
		if err == nil {
			r.redirect = location
			return nil
		}
	case status == http.StatusOK && expected == http.StatusPartialContent:
		r.refusal = failure.New(r.stage(), protocol.CauseNoRanges, "%s ignores byte ranges, which its playlist uses.", signalling.Describe(r.target))
		return nil
	case status == expected:
		r.isGzip = response.Header.Get("Content-Encoding") == "gzip"
		if length := response.ContentLength; length > r.maxBytes() {
			return r.tooLarge()
		}
		return nil
	}
	r.refusal = signalling.MediaRefusal(r.stage(), response, v.group.URL, r.target, v.identity, r.elapsed())
	r.refusal = r.via.Explain(r.refusal, status, signalling.Describe(r.target))
	return nil
}

func (r *request) maxBytes() int64 {
	return [...]int64{ofPlaylist: playlist.MaxBytes, ofInit: maxInitBytes, ofKey: maxKeyBytes, ofSegment: maxSegmentBytes}[r.kind]
}

var errTooLarge = errors.New("too large")

func (r *request) tooLarge() error {
	return fmt.Errorf("%w: a %s of more than %d bytes", errTooLarge, r.kind, r.maxBytes())
}

// add takes the next bytes of the body.
func (r *request) add(data []byte, v *Viewer) error {
	if r.redirect != nil || r.refusal != nil {
		return nil // the text of a refusal
	}
	if r.bytes += int64(len(data)); r.bytes > r.maxBytes() {
		return r.tooLarge()
	}
	if r.kind != ofSegment {
		if err := v.group.bodies.Take(len(data)); err != nil {
			return fmt.Errorf("%w: %w", errTooLarge, err)
		}
		r.pool = &v.group.bodies
		r.body = append(r.body, data...)
		return nil
	}
	v.countMedia(len(data))
	if r.scanner != nil {
		r.scanner.Write(data)
	}
	return nil
}

// release drops the body.
func (r *request) release() {
	if r.pool != nil {
		r.pool.Give(len(r.body))
		r.pool = nil
	}
	r.body = nil
}

// text is a playlist's text.
func (r *request) text(body []byte) ([]byte, error) {
	if !r.isGzip {
		return body, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("its compression is invalid")
	}
	text, err := io.ReadAll(io.LimitReader(reader, playlist.MaxBytes+1))
	if err != nil {
		return nil, errors.New("its compression is invalid")
	}
	if len(text) > playlist.MaxBytes {
		return nil, r.tooLarge()
	}
	return text, nil
}

// invalid makes a failure of a response that can't be parsed.
func (r *request) invalid(err error) *failure.Failure {
	cause := protocol.CauseNotHTTP
	switch {
	case errors.Is(err, errTooLarge):
		cause = protocol.CauseTooLarge
	case !errors.Is(err, httpstream.ErrNotHTTP):
		cause = protocol.CauseClosed
	}
	return failure.New(r.stage(), cause, "%s: %v.", signalling.Describe(r.target), err)
}

// checkTimeout returns a failure once the request takes too long. Blocking reloads may take as long as waitFor.
func (r *request) checkTimeout(now int64, stageTimeout, waitFor time.Duration) *failure.Failure {
	limit, what := stageTimeout, "respond"
	switch {
	case r.kind == ofPlaylist:
		limit += waitFor
	case r.headAt == 0:
		limit = max(stageTimeout, headTimeout)
	default:
		limit, what = loadTimeout, "send it completely"
	}
	if now-r.startedAt <= int64(limit) {
		return nil
	}
	return failure.New(r.stage(), protocol.CauseTimeout, "%s did not %s within %s.", signalling.Describe(r.target), what, failure.Since(r.startedAt))
}

// responded handles a complete response. The caller holds the mutex.
func (v *Viewer) responded(r *request) {
	delete(v.requests, r)
	r.isOver = true
	switch {
	case r.redirect != nil:
		v.follow(r)
		return
	case r.refusal != nil:
		v.requestFailed(r, r.refusal)
		return
	}
	switch r.kind {
	case ofPlaylist:
		v.gotPlaylist(r)
	case ofInit:
		v.gotInit(r)
	case ofKey:
		v.gotKey(r)
	case ofSegment:
		v.gotSegment(r)
	}
}

// follow repeats a request at the address that the server redirects to.
func (v *Viewer) follow(r *request) {
	if r.redirects++; r.redirects >= signalling.MaxRedirects {
		v.requestFailed(r, failure.New(r.stage(), protocol.CauseRedirects, "%s redirected more than %d times.", signalling.Describe(r.target), signalling.MaxRedirects))
		return
	}
	again := &request{kind: r.kind, track: r.track, target: r.redirect, resource: r.resource, piece: r.piece, cipher: r.cipher, attempt: r.attempt,
		redirects: r.redirects, startedAt: r.startedAt, scanner: r.scanner, known: r.known}
	v.replace(r, again)
	v.send(again)
}
