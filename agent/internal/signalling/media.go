package signalling

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// UserAgent is what all requests of the agent name themselves.
const UserAgent = userAgent

// MaxRedirects is how many redirects are followed in a row.
const MaxRedirects = maxRedirects

// Describe is an address without its secret parts, for sentences.
func Describe(target *url.URL) string { return describe(target) }

// MediaAddress resolves the address that a server refers to, in a playlist or a redirect, and refuses one on another
// origin than the endpoint's unless that is allowed.
func (s *Client) MediaAddress(stage failure.Stage, endpoint, target *url.URL, leads string) *failure.Failure {
	switch {
	case !isHTTP(target):
		return failure.New(stage, protocol.CauseBadURL, "%s %s that is not an http address.", describe(endpoint), leads)
	case !s.mayFollow(endpoint, target):
		f := crossOrigin(endpoint, target, leads)
		f.Stage = stage
		return f
	}
	return nil
}

// MediaRefusal makes a failure of a response to a GET that has no media.
func MediaRefusal(stage failure.Stage, response *http.Response, endpoint, target *url.URL, as Identity, took time.Duration) *failure.Failure {
	detail := fmt.Sprintf("%s returned %s after %s", describe(target), as.mask(statusOf(response, isSameServer(endpoint, target))), took)
	if hint := mediaHint(response, as); hint != "" {
		detail += "; " + hint
	}
	if again := retryAfter(response.Header.Get("Retry-After"), time.Now()); again != "" {
		detail += "; retry " + again
	}
	return failure.New(stage, protocol.HTTPCause(response.StatusCode), "%s.", strings.TrimRight(detail, "."))
}

// mediaHint is what a status means for a request of media.
func mediaHint(response *http.Response, as Identity) string {
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		switch {
		case as.Header != nil:
			return "it may refuse the headers of the viewer"
		case response.StatusCode == http.StatusForbidden:
			return "it may require a token in the address or a header such as Origin or Referer (headers of the audience), forbid the address of the tester, or have reached its limit of clients"
		case requiresLogin(response.Header):
			return "it requires a user and a password (Basic): send them as Authorization by headers of the audience"
		}
		return "it may require a token in the address"
	case http.StatusNotFound, http.StatusGone:
		return "the address does not exist, or the stream is not published"
	}
	return busyHint(response.StatusCode)
}
