package signalling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"fullhouse/agent/internal/failure"
)

const (
	// MaxAnswerBytes is many times a real answer; what is larger is not one.
	MaxAnswerBytes = 64 << 10
	maxRedirects   = 5
	// nameLifetime is how long a resolved name is used for further viewers: the resolver is not under test.
	nameLifetime = 30 * time.Second
	userAgent    = "fullhouse-agent"
)

// Signaller makes the WHEP requests of all viewers of a job, and the WHIP requests of publishers, which are the same. Each request has a connection of its own, as a
// thousand browsers would have.
type Signaller struct {
	client *http.Client
	names  names
}

// NewSignaller makes a Signaller.
func NewSignaller() *Signaller {
	s := &Signaller{}
	s.client = &http.Client{
		Transport: &http.Transport{
			DisableKeepAlives:  true,
			DialContext:        s.dial,
			DialTLSContext:     s.dialTLS,
			DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

// Exchanged is a successful POST.
type Exchanged struct {
	Body string
	// Session is the resource to DELETE; nil when the server named none.
	Session *url.URL
}

// Post sends an offer and returns the answer's body.
func (s *Signaller) Post(ctx context.Context, endpoint *url.URL, token, offer string) (Exchanged, *failure.Failure) {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(time.Minute)
	}
	at := &progress{deadline: deadline}
	at.stage.Store(failure.Name)
	ctx = context.WithValue(ctx, progressKey{}, at)
	target := endpoint
	for range maxRedirects {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(offer))
		if err != nil {
			return Exchanged{}, failure.New(failure.Signalling, "bad-url", "The address %s can't be used: %v.", target, err)
		}
		request.Header.Set("Content-Type", "application/sdp")
		request.Header.Set("Accept", "application/sdp")
		setToken(request, endpoint, token)
		began := time.Now()
		response, err := s.client.Do(request)
		if err != nil {
			return Exchanged{}, requestFailure(ctx, at, err, target, began)
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswerBytes+1))
		_ = response.Body.Close() // whatever was to be read has been read
		if err != nil {
			return Exchanged{}, requestFailure(ctx, at, err, target, began)
		}
		location, locationErr := response.Location()
		switch status := response.StatusCode; {
		case status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect:
			if locationErr != nil {
				return Exchanged{}, failure.New(failure.Signalling, fmt.Sprintf("http-%d", status), "%s redirects without saying where to.", target)
			}
			target = location
		case status == http.StatusCreated || status == http.StatusOK:
			result := Exchanged{Body: string(body)}
			if locationErr == nil {
				result.Session = location // relative ones are resolved against the request's address
			}
			return result, nil
		default:
			return Exchanged{}, failure.New(failure.Signalling, fmt.Sprintf("http-%d", status), "%s answered %s after %s: %s",
				target, response.Status, failure.Elapsed(began), failure.Excerpt(string(body)))
		}
	}
	return Exchanged{}, failure.New(failure.Signalling, "redirects", "%s redirected more than %d times.", endpoint, maxRedirects)
}

// Delete ends a session on the server.
func (s *Signaller) Delete(ctx context.Context, endpoint, session *url.URL, token string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodDelete, session.String(), nil)
	if err != nil {
		return err
	}
	setToken(request, endpoint, token)
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("DELETE %s: %w", session, err)
	}
	_ = response.Body.Close() // the status says it all
	// A session that is gone already is what was wanted.
	if response.StatusCode >= 300 && response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusGone {
		return fmt.Errorf("DELETE %s was answered %s", session, response.Status)
	}
	return nil
}

// setToken adds the token, but not for another host that a redirect or a Location named: browsers don't either.
func setToken(request *http.Request, endpoint *url.URL, token string) {
	request.Header.Set("User-Agent", userAgent)
	if token != "" && request.URL.Host == endpoint.Host && request.URL.Scheme == endpoint.Scheme {
		request.Header.Set("Authorization", "Bearer "+token)
	}
}

func requestFailure(ctx context.Context, at *progress, err error, target *url.URL, began time.Time) *failure.Failure {
	var staged *stageError
	if errors.As(err, &staged) {
		return staged.failure
	}
	cause := "http"
	switch {
	case ctx.Err() != nil || isTimeout(err):
		cause = "timeout"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		cause = "closed"
	}
	if cause == "closed" {
		return failure.New(failure.Signalling, cause, "%s closed the connection after %s without an answer; its log may say why.", target, failure.Elapsed(began))
	}
	stage, _ := at.stage.Load().(failure.Stage)
	return failure.New(stage, cause, "No answer of %s after %s: %v.", target, failure.Elapsed(began), err)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// names resolves each name once in a while for all viewers.
type names struct {
	mutex sync.Mutex
	known map[string]resolved
}

type resolved struct {
	addresses []netip.Addr
	until     time.Time
}

func (n *names) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	n.mutex.Lock()
	known, found := n.known[host]
	n.mutex.Unlock()
	if found && time.Now().Before(known.until) {
		return known.addresses, nil
	}
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for i := range addresses {
		addresses[i] = addresses[i].Unmap()
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.known == nil {
		n.known = map[string]resolved{}
	}
	n.known[host] = resolved{addresses, time.Now().Add(nameLifetime)}
	return addresses, nil
}
