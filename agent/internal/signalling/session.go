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

// sessionTimeout bounds a request about a session without a deadline.
const sessionTimeout = 10 * time.Second

// Delete ends a session on the server.
func (s *Client) Delete(ctx context.Context, endpoint, session *url.URL, as Identity) error {
	response, _, err := s.toSession(ctx, http.MethodDelete, endpoint, session, as, "", "")
	if err != nil {
		return err
	}
	// A session that no longer exists is the desired result.
	if status := response.StatusCode; status >= 300 && status != http.StatusNotFound && status != http.StatusGone {
		return fmt.Errorf("DELETE %s returned %s", describe(session), statusOf(response, isOwn(endpoint, response)))
	}
	return nil
}

// Trickle sends our candidates by PATCH and returns the fragment of the response, empty for none. entityTag is that of
// the answer, empty if it had none.
func (s *Client) Trickle(ctx context.Context, endpoint, session *url.URL, as Identity, entityTag, fragment string) (string, error) {
	response, body, err := s.toSession(ctx, http.MethodPatch, endpoint, session, as, entityTag, fragment)
	if err != nil {
		return "", err
	}
	if response.StatusCode < 200 || response.StatusCode >= 300 {
		return "", fmt.Errorf("PATCH %s returned %s", describe(session), statusOf(response, isOwn(endpoint, response)))
	}
	if !strings.HasPrefix(strings.ToLower(response.Header.Get("Content-Type")), fragmentType) {
		return "", nil
	}
	return body, nil
}

const fragmentType = "application/trickle-ice-sdpfrag"

// toSession sends a request about a session. Redirects that keep the method are followed, but to another origin only if
// allowed.
func (s *Client) toSession(ctx context.Context, method string, endpoint, session *url.URL, as Identity, entityTag, body string) (*http.Response, string, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, sessionTimeout)
		defer cancel()
	}
	if !s.mayFollow(endpoint, session) {
		return nil, "", errors.New(crossOriginText(endpoint, session, "returned a session"))
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
		as.set(request, endpoint)
		response, err := s.client.Do(request)
		if err != nil {
			return nil, "", fmt.Errorf("%s %s: %w", method, describe(target), withoutAddress(err))
		}
		responseBody, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswerBytes))
		_ = response.Body.Close() // the body has been read as far as needed
		if err != nil && method != http.MethodDelete {
			return nil, "", fmt.Errorf("%s %s: %w", method, describe(target), withoutAddress(err))
		}
		location, err := response.Location()
		if !keepsMethod(response.StatusCode) || err != nil || !isHTTP(location) {
			return response, string(responseBody), nil
		}
		if !s.mayFollow(endpoint, location) {
			return nil, "", errors.New(crossOriginText(endpoint, location, "redirects "+method+" to a resource"))
		}
		target = location
	}
	return nil, "", fmt.Errorf("%s %s was redirected more than %d times", method, describe(session), maxRedirects)
}

// keepsMethod reports whether a redirect repeats the request unchanged.
func keepsMethod(status int) bool {
	return status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

func isHTTP(target *url.URL) bool {
	return target.Host != "" && (target.Scheme == "http" || target.Scheme == "https")
}

// mayFollow reports whether a server may redirect to an address.
func (s *Client) mayFollow(endpoint, location *url.URL) bool {
	return s.AllowCrossOrigin || origin(location) == origin(endpoint)
}

// isOwn reports whether a response is from the requested server, rather than one that it redirected to.
func isOwn(endpoint *url.URL, response *http.Response) bool {
	return origin(response.Request.URL) == origin(endpoint)
}

// IsOpen reports whether requests to an address are unencrypted.
func IsOpen(target *url.URL) bool {
	ip := net.ParseIP(target.Hostname())
	return target.Scheme != "https" && (ip == nil || !ip.IsLoopback())
}

// origin is the scope of a token: scheme, host and port (RFC 6454).
func origin(target *url.URL) string {
	scheme, port := strings.ToLower(target.Scheme), target.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.ToLower(target.Hostname()) + ":" + port
}
