package signalling

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// refusal makes a failure of a response without an SDP.
func refusal(response *http.Response, endpoint, target *url.URL, body string, as Identity, took time.Duration) *failure.Failure {
	isOwn := isSameServer(endpoint, target)
	if isSDP(response, body) {
		if response.StatusCode == http.StatusNotAcceptable {
			return failure.New(failure.Signalling, protocol.CauseCounterOffer, "%s returned %s with an offer instead of an answer after %s. Viewers send the offer, as WHEP requires, and do not answer others.", describe(target), statusOf(response, isOwn), took)
		}
		body = ""
	}
	detail := fmt.Sprintf("%s returned %s after %s", describe(target), statusOf(response, isOwn), took)
	if words := serverText(as.mask(body)); words != "" && isOwn {
		detail += ": " + strings.TrimRight(words, ".")
	}
	if hint := hint(response, as); hint != "" {
		detail += "; " + hint
	}
	if again := retryAfter(response.Header.Get("Retry-After"), time.Now()); again != "" {
		detail += "; retry " + again
	}
	return failure.New(failure.Signalling, protocol.HTTPCause(response.StatusCode), "%s.", detail)
}

// statusOf is a response's status, in the server's own words only for the server under test: the text of another origin
// is not shown.
func statusOf(response *http.Response, isOwn bool) string {
	if isOwn {
		return failure.Excerpt(response.Status)
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode)))
}

// crossOrigin refuses to follow a server to another origin.
func crossOrigin(endpoint, location *url.URL, leads string) *failure.Failure {
	return failure.New(failure.Signalling, protocol.CauseCrossOrigin, "%s; to allow that server, set allowCrossOrigin: true on the node.", crossOriginText(endpoint, location, leads))
}

func crossOriginText(endpoint, location *url.URL, leads string) string {
	return fmt.Sprintf("%s %s on another origin, %s, which is not followed", describe(endpoint), leads, origin(location))
}

// isSDP reports whether a response has an SDP, whose text says nothing to a reader and contains a password.
func isSDP(response *http.Response, body string) bool {
	return strings.HasPrefix(strings.ToLower(response.Header.Get("Content-Type")), "application/sdp") || strings.HasPrefix(strings.TrimSpace(body), "v=0")
}

// hint is what a status means for an offer, by WHIP and WHEP (RFC 9725).
func hint(response *http.Response, as Identity) string {
	switch response.StatusCode {
	case http.StatusSeeOther:
		return "this redirect turns POST into GET and drops the offer; servers must use 307 or 308"
	case http.StatusUnauthorized, http.StatusForbidden:
		switch {
		case as.loggedIn:
			return "the user and password of the node were refused"
		case as.Token != "":
			return "the bearer token was refused"
		case as.Header != nil:
			return "it may refuse the headers of the viewer"
		case response.StatusCode == http.StatusUnauthorized && requiresLogin(response.Header):
			return "it requires a user and a password (Basic): set user and httpPassword of the node"
		}
		if response.StatusCode == http.StatusForbidden {
			return "it may require a bearer token or a header such as Origin (token and headers of the audience), or forbid the address of the tester"
		}
		return "it may require a bearer token"
	case http.StatusNotFound:
		return "the address does not exist, or the stream is not published yet"
	case http.StatusMethodNotAllowed:
		return "the address does not accept offers"
	case http.StatusNotAcceptable:
		return "it does not answer offers; it may expect to send them"
	case http.StatusUnsupportedMediaType:
		return "it does not accept application/sdp"
	case http.StatusUnprocessableEntity:
		return "it rejected the offer"
	case http.StatusNoContent, http.StatusAccepted:
		return "an SDP answer was expected"
	}
	return busyHint(response.StatusCode)
}

// busyHint is what a status means for a server that is short of something.
func busyHint(status int) string {
	switch status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return "the server limits requests or connections, or is overloaded"
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return "a proxy responded; check the server behind it"
	}
	return ""
}

// retryAfter parses the header of this name: seconds or a date. It is empty if missing or invalid.
func retryAfter(value string, now time.Time) string {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return fmt.Sprintf("in %s", time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return fmt.Sprintf("in %s", at.Sub(now).Round(time.Second))
	}
	return ""
}

// serverText finds the server's text in the body of an error: a field of JSON, or the plain text. Pages (HTML) have none:
// those of web servers only repeat the status.
func serverText(body string) string {
	if IsPage([]byte(body)) {
		return ""
	}
	var object map[string]any
	if strings.HasPrefix(strings.TrimSpace(body), "{") && json.Unmarshal([]byte(body), &object) == nil {
		for _, key := range []string{"error", "message", "detail", "errorMessage", "title", "reason", "msg"} {
			if text, ok := object[key].(string); ok && text != "" {
				return failure.Excerpt(text)
			}
		}
	}
	return failure.Excerpt(body)
}

// IsPage reports whether a body is a page (HTML) instead of what was requested.
func IsPage(body []byte) bool { return strings.HasPrefix(http.DetectContentType(body), "text/html") }

// secretKeys are parts of an address that must not be shown.
var secretKeys = []string{"token", "secret", "key", "pass", "sig", "auth", "jwt", "credential"}

// describe is an address without its secret parts.
func describe(target *url.URL) string {
	public := *target
	if public.User != nil {
		public.User = url.User("…")
	}
	query := strings.Split(public.RawQuery, "&")
	for i, part := range query {
		name, _, _ := strings.Cut(part, "=")
		for _, key := range secretKeys {
			if strings.Contains(strings.ToLower(name), key) {
				query[i] = name + "=…"
			}
		}
	}
	public.RawQuery = strings.Join(query, "&")
	return strings.ReplaceAll(public.String(), url.PathEscape("…"), "…")
}
