package signalling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// sessionPatience bounds what is said about a session when the caller sets no bound.
const sessionPatience = 10 * time.Second

// Delete ends a session on the server.
func (s *Signaller) Delete(ctx context.Context, endpoint, session *url.URL, token string) error {
	response, _, err := s.toSession(ctx, http.MethodDelete, endpoint, session, token, "", "")
	if err != nil {
		return err
	}
	// A session that is gone already is what was wanted.
	if status := response.StatusCode; status >= 300 && status != http.StatusNotFound && status != http.StatusGone {
		return fmt.Errorf("DELETE %s was answered %s", describe(session), statusOf(response, isOwn(endpoint, response)))
	}
	return nil
}

// Trickle tells the server candidates of ours by PATCH and returns the fragment that it answers, which is empty when it has nothing to
// say. entityTag is that of the answer, empty when it had none.
func (s *Signaller) Trickle(ctx context.Context, endpoint, session *url.URL, token, entityTag, fragment string) (string, error) {
	response, body, err := s.toSession(ctx, http.MethodPatch, endpoint, session, token, entityTag, fragment)
	if err != nil {
		return "", err
	}
	if response.StatusCode < 200 || response.StatusCode >= 300 {
		return "", fmt.Errorf("PATCH %s was answered %s", describe(session), statusOf(response, isOwn(endpoint, response)))
	}
	if !strings.HasPrefix(strings.ToLower(response.Header.Get("Content-Type")), fragmentType) {
		return "", nil
	}
	return body, nil
}

const fragmentType = "application/trickle-ice-sdpfrag"

// toSession makes a request about a session. Redirects that keep the method are followed, but not to another origin unless that is allowed.
func (s *Signaller) toSession(ctx context.Context, method string, endpoint, session *url.URL, token, entityTag, body string) (*http.Response, string, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, sessionPatience)
		defer cancel()
	}
	if !s.mayLead(endpoint, session) {
		return nil, "", errors.New(ledAway(endpoint, session, "names a session that is"))
	}
	target := session
	for range maxRedirects {
		request, err := http.NewRequestWithContext(ctx, method, target.String(), strings.NewReader(body))
		if err != nil {
			return nil, "", fmt.Errorf("%s %s: %w", method, describe(target), withoutAddress(err))
		}
		if body != "" {
			request.Header.Set("Content-Type", fragmentType)
			if entityTag != "" {
				request.Header.Set("If-Match", entityTag)
			}
		}
		setToken(request, endpoint, token)
		response, err := s.client.Do(request)
		if err != nil {
			return nil, "", fmt.Errorf("%s %s: %w", method, describe(target), withoutAddress(err))
		}
		said, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswerBytes))
		_ = response.Body.Close() // whatever was to be read has been read
		if err != nil && method != http.MethodDelete {
			return nil, "", fmt.Errorf("%s %s: %w", method, describe(target), withoutAddress(err))
		}
		location, err := response.Location()
		if !keepsMethod(response.StatusCode) || err != nil || !isHTTP(location) {
			return response, string(said), nil
		}
		if !s.mayLead(endpoint, location) {
			return nil, "", errors.New(ledAway(endpoint, location, "redirects "+method))
		}
		target = location
	}
	return nil, "", fmt.Errorf("%s %s was redirected more than %d times", method, describe(session), maxRedirects)
}

// keepsMethod tells the redirects that repeat a request as it was.
func keepsMethod(status int) bool {
	return status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

func isHTTP(target *url.URL) bool {
	return target.Host != "" && (target.Scheme == "http" || target.Scheme == "https")
}

// mayLead tells whether a server may send on to an address.
func (s *Signaller) mayLead(endpoint, location *url.URL) bool {
	return s.AllowCrossOrigin || origin(location) == origin(endpoint)
}

// isOwn tells whether an answer is of the server that was to be asked, and not of one that it led to.
func isOwn(endpoint *url.URL, response *http.Response) bool {
	return origin(response.Request.URL) == origin(endpoint)
}

// IsOpen tells whether anybody on the way can read what is said to an address.
func IsOpen(target *url.URL) bool {
	ip := net.ParseIP(target.Hostname())
	return target.Scheme != "https" && (ip == nil || !ip.IsLoopback())
}

// origin is what a token may be told to: scheme, host and port (RFC 6454).
func origin(target *url.URL) string {
	scheme, port := strings.ToLower(target.Scheme), target.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.ToLower(target.Hostname()) + ":" + port
}

// setToken adds the token, but not for another origin that a redirect or a Location named: browsers don't either.
func setToken(request *http.Request, endpoint *url.URL, token string) {
	request.Header.Set("User-Agent", userAgent)
	if token != "" && origin(request.URL) == origin(endpoint) {
		request.Header.Set("Authorization", "Bearer "+token)
	}
}
