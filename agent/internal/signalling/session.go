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
	for range 1 + maxRedirects {
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
		if !isRedirect(response.StatusCode) || err != nil || !isHTTP(location) {
			return response, string(responseBody), nil
		}
		location = inZone(location, endpoint)
		if !s.mayFollow(endpoint, location) {
			return nil, "", errors.New(crossOriginText(endpoint, location, "redirects "+method+" to a resource"))
		}
		target = location
	}
	return nil, "", fmt.Errorf("%s %s was redirected more than %d times", method, describe(session), maxRedirects)
}

// isRedirect reports whether a redirect repeats the request. 301 and 302 do too: proxies use them for any method, and
// an offer as GET would have no answer.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

func isHTTP(target *url.URL) bool {
	return target.Host != "" && (target.Scheme == "http" || target.Scheme == "https")
}

// mayFollow reports whether a server may redirect to an address.
func (s *Client) mayFollow(endpoint, location *url.URL) bool {
	return s.AllowCrossOrigin || isSameServer(endpoint, location)
}

// isSameServer reports whether an address is of the endpoint's origin, or of the same host after the usual redirect
// from http to https. Any other port may belong to another service.
func isSameServer(endpoint, target *url.URL) bool {
	isUpgrade := endpoint.Scheme == "http" && target.Scheme == "https" && isUsual(endpoint) && isUsual(target) && hostOf(target) == hostOf(endpoint)
	return isUpgrade || origin(target) == origin(endpoint)
}

func isUsual(target *url.URL) bool {
	return target.Port() == "" || target.Port() == map[string]string{"http": "80", "https": "443"}[target.Scheme]
}

// hostOf is the host of an address without the zone of an IPv6 address, which a server never sees.
func hostOf(target *url.URL) string {
	host, _, _ := strings.Cut(strings.ToLower(target.Hostname()), "%")
	return host
}

// inZone gives an address of the endpoint's host the endpoint's zone, without which it can't be reached.
func inZone(location, endpoint *url.URL) *url.URL {
	_, zone, hasZone := strings.Cut(endpoint.Hostname(), "%")
	if !hasZone || strings.Contains(location.Hostname(), "%") || hostOf(location) != hostOf(endpoint) {
		return location
	}
	zoned := *location
	if zoned.Host = "[" + location.Hostname() + "%" + zone + "]"; location.Port() != "" {
		zoned.Host += ":" + location.Port()
	}
	return &zoned
}

// isOwn reports whether a response is from the requested server, rather than one that it redirected to.
func isOwn(endpoint *url.URL, response *http.Response) bool {
	return isSameServer(endpoint, response.Request.URL)
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
	return scheme + "://" + hostOf(target) + ":" + port
}
