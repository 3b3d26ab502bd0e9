package signalling

import (
	"context"
	"crypto/tls"
	"errors"
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
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/trust"
)

const (
	// MaxAnswerBytes is many times a real answer; anything larger is not one.
	MaxAnswerBytes = 64 << 10
	maxRedirects   = 5
	// nameLifetime is how long a resolved name is used for further viewers: the resolver is not under test.
	nameLifetime = 30 * time.Second
	userAgent    = "fullhouse-agent"
)

// Client makes the WHEP requests of all viewers of a job, and the identical WHIP requests of publishers. Each
// request has its own connection, as with a thousand browsers.
type Client struct {
	// AllowCrossOrigin lets a Location or a redirect use another scheme, host or port than the endpoint's. Otherwise a
	// server could make every viewer send requests to anything this machine reaches, such as its own loopback.
	AllowCrossOrigin bool
	// SelfSigned accepts any certificate of the servers, also after a redirect that is followed.
	SelfSigned bool

	// Proxies are for HTTP and WebSocket; by default those of the variables.
	Proxies *proxy.Rules

	// Resolver resolves names; nil for that of the system.
	Resolver *net.Resolver

	client *http.Client
	names  names
}

// TLS is the configuration of all encrypted connections to the servers of the client; of none it accepts trusted
// certificates only.
func (s *Client) TLS() *tls.Config { return trust.Config(s != nil && s.SelfSigned) }

// NewClient makes a Client.
func NewClient() *Client {
	s := &Client{Proxies: proxy.New("")}
	s.client = &http.Client{
		Transport: &http.Transport{
			DisableKeepAlives:  true,
			DialContext:        s.dialHTTP,
			DialTLSContext:     s.dialTLS,
			Proxy:              s.proxyOf,
			DisableCompression: true,
			// Like an answer's body, the limit of its headers is many times a real one.
			MaxResponseHeaderBytes: MaxAnswerBytes,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

// Exchanged is a successful POST.
type Exchanged struct {
	Body string
	// Session is the resource to DELETE; nil if the server returned none.
	Session *url.URL
	// EntityTag is that of the session, for requests that change it; empty if the server returned none.
	EntityTag string
	// ICEServers are the STUN and TURN servers of the response.
	ICEServers []ICEServer
	// As is the identity for requests about the session.
	As Identity
}

// Post sends an offer and returns the answer's body.
func (s *Client) Post(ctx context.Context, endpoint *url.URL, as Identity, offer string) (Exchanged, *failure.Failure) {
	ctx, at, cancel := withProgress(ctx)
	defer cancel()
	target := endpoint
	for redirects := 0; redirects <= maxRedirects; {
		startTime := time.Now()
		response, body, f := s.post(ctx, at, endpoint, target, as, offer)
		took := failure.Elapsed(startTime)
		if f != nil {
			return Exchanged{}, f
		}
		location, locationErr := response.Location()
		if locationErr == nil {
			location = inZone(location, endpoint)
		}
		isOwn := isSameServer(endpoint, target)
		if isOwn {
			as.cookies = withSet(as.cookies, response)
		}
		switch status := response.StatusCode; {
		case isOwn && as.mayLogIn(response):
			as.loggedIn = true
			as.Login.isRequired.Store(true)
		case status == http.StatusUnauthorized:
			return Exchanged{}, s.explained(refusal(response, endpoint, target, body, as, took), response, target)
		case isRedirect(status):
			redirects++
			if locationErr != nil || !isHTTP(location) {
				return Exchanged{}, failure.New(failure.Signalling, protocol.HTTPCause(status), "%s redirects without a valid Location.", describe(target))
			}
			if !s.mayFollow(endpoint, location) {
				return Exchanged{}, crossOrigin(endpoint, location, "redirects to a resource")
			}
			target = location
		default: // created
			if locationErr == nil && !s.mayFollow(endpoint, location) {
				return Exchanged{}, crossOrigin(endpoint, location, "returned a session")
			}
			result := Exchanged{Body: body, As: as, EntityTag: response.Header.Get("ETag"), ICEServers: iceServers(response.Header.Values("Link"))}
			if locationErr == nil {
				result.Session = location // relative ones are resolved against the request's address
			}
			return result, nil
		}
	}
	return Exchanged{}, failure.New(failure.Signalling, protocol.CauseRedirects, "%s redirected more than %d times.", describe(endpoint), maxRedirects)
}

// post sends the offer to one address. The response is a session, a redirect that repeats the offer, or requires a
// login.
func (s *Client) post(ctx context.Context, at *progress, endpoint, target *url.URL, as Identity, offer string) (*http.Response, string, *failure.Failure) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(offer))
	if err != nil {
		return nil, "", failure.New(failure.Signalling, protocol.CauseBadURL, "Invalid address %s: %v.", describe(target), withoutAddress(err))
	}
	request.Header.Set("Content-Type", "application/sdp")
	request.Header.Set("Accept", "application/sdp")
	as.set(request, endpoint)
	startTime := time.Now()
	response, err := s.client.Do(request)
	if err != nil {
		return nil, "", requestFailure(ctx, at, err, target, startTime)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswerBytes+1))
	_ = response.Body.Close() // the body has been read as far as needed
	status := response.StatusCode
	switch {
	case isRedirect(status):
		return response, "", nil
	case status == http.StatusUnauthorized:
		return response, string(body), nil
	case status != http.StatusCreated && status != http.StatusOK:
		// A partial body is enough for the sentence of a refusal.
		return nil, "", s.explained(refusal(response, endpoint, target, string(body), as, failure.Elapsed(startTime)), response, target)
	case err != nil:
		return nil, "", bodyFailure(ctx, err, target, len(body), startTime)
	}
	return response, string(body), nil
}

// bodyFailure is the failure of an incomplete response.
func bodyFailure(ctx context.Context, err error, target *url.URL, got int, startTime time.Time) *failure.Failure {
	cause, what := protocol.CauseClosed, "closed the connection"
	if ctx.Err() != nil || isTimeout(err) {
		cause, what = protocol.CauseTimeout, "stopped sending"
	}
	return failure.New(failure.Signalling, cause, "%s %s during its response: %d bytes received within %s (%v).", describe(target), what, got, failure.Elapsed(startTime), withoutAddress(err))
}

var errNotHTTP = errors.New("the response is not valid HTTP")

// withoutAddress removes the request's address, which may contain secrets and is reported separately, and what net/http
// quotes of an invalid response: it may come from an unrelated service.
func withoutAddress(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var network net.Error
	var staged *stageError
	if errors.As(err, &network) || errors.As(err, &staged) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "response headers exceeded") {
		return err
	}
	return errNotHTTP
}

func requestFailure(ctx context.Context, at *progress, err error, target *url.URL, startTime time.Time) *failure.Failure {
	var staged *stageError
	if errors.As(err, &staged) {
		return staged.failure
	}
	cause := protocol.CauseHTTP
	switch {
	case ctx.Err() != nil || isTimeout(err):
		cause = protocol.CauseTimeout
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		// A server that closes at once is noticed by whichever of reading and writing comes first.
		errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return failure.New(failure.Signalling, protocol.CauseClosed, "%s closed the connection after %s without a response; "+ClosedHint(target)+".", describe(target), failure.Elapsed(startTime))
	case errors.Is(withoutAddress(err), errNotHTTP):
		return failure.New(failure.Signalling, protocol.CauseNotHTTP, "%s responded after %s, but not with HTTP; check the port, and whether it needs %s.", describe(target), failure.Elapsed(startTime), otherScheme(target))
	}
	stage, _ := at.stage.Load().(failure.Stage)
	return failure.New(stage, cause, "No response from %s after %s: %v.", describe(target), failure.Elapsed(startTime), withoutAddress(err))
}

// ClosedHint is what to check where a server closes a connection without a response.
func ClosedHint(target *url.URL) string {
	return "it may not be an HTTP server, require " + otherScheme(target) + ", or have reached its limit of connections: check the port, and its log"
}

// otherScheme is the scheme with TLS of an address without, and the reverse.
func otherScheme(target *url.URL) string {
	if other, isPlain := map[string]string{"http": "https", "ws": "wss", "wss": "ws"}[target.Scheme]; isPlain {
		return other
	}
	return "http"
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// names resolves each name once per nameLifetime for all viewers.
type names struct {
	mutex sync.Mutex
	known map[string]resolved
}

type resolved struct {
	addresses []netip.Addr
	until     time.Time
}

func (n *names) resolve(ctx context.Context, resolver *net.Resolver, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	n.mutex.Lock()
	known, found := n.known[host]
	n.mutex.Unlock()
	if found && time.Now().Before(known.until) {
		return known.addresses, nil
	}
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	addresses, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	completed(ctx, nameStep)
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
