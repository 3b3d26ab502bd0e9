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
)

// refusal tells what a server answered instead of an SDP.
func refusal(response *http.Response, endpoint, target *url.URL, body, token string, took time.Duration) *failure.Failure {
	isOwn := origin(endpoint) == origin(target)
	detail := fmt.Sprintf("%s answered %s after %s", describe(target), statusOf(response, isOwn), took)
	if words := serversWords(body); words != "" && isOwn {
		detail += ": " + strings.TrimRight(words, ".")
	}
	if hint := hint(response.StatusCode, token); hint != "" {
		detail += "; " + hint
	}
	if again := retryAfter(response.Header.Get("Retry-After"), time.Now()); again != "" {
		detail += "; it asks to come again " + again
	}
	return failure.New(failure.Signalling, fmt.Sprintf("http-%d", response.StatusCode), "%s.", detail)
}

// statusOf is that of an answer, in the words of the server only where it is the one under test: what another origin says is not shown.
func statusOf(response *http.Response, isOwn bool) string {
	if isOwn {
		return failure.Excerpt(response.Status)
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode)))
}

// crossOrigin refuses to follow a server to another one.
func crossOrigin(endpoint, location *url.URL, leads string) *failure.Failure {
	return failure.New(failure.Signalling, "cross-origin", "%s; if that server is meant, set allowCrossOrigin: true on the node.", ledAway(endpoint, location, leads))
}

func ledAway(endpoint, location *url.URL, leads string) string {
	return fmt.Sprintf("%s %s on another origin, %s, and is not followed there", describe(endpoint), leads, origin(location))
}

// hint is what a status means for who offers, as WHIP and WHEP have it (RFC 9725).
func hint(status int, token string) string {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		return "by such a redirect a POST becomes a GET and loses the offer, so servers must redirect with 307 or 308"
	case http.StatusUnauthorized, http.StatusForbidden:
		if token == "" {
			return "it may want a bearer token"
		}
		return "it does not take this bearer token"
	case http.StatusNotFound:
		return "there is nothing at this address, or not yet"
	case http.StatusMethodNotAllowed:
		return "it takes no offers at this address"
	case http.StatusNotAcceptable:
		return "it does not answer offers; it may want to make them"
	case http.StatusUnsupportedMediaType:
		return "it does not take application/sdp"
	case http.StatusUnprocessableEntity:
		return "it does not like the offer"
	case http.StatusNoContent, http.StatusAccepted:
		return "an answer was expected"
	}
	return ""
}

// retryAfter reads the header of this name: seconds or a date. It is empty when there is none, or none that makes sense.
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

// serversWords finds what a server has to say in the body of an error: JSON's own word for it, or the text.
func serversWords(body string) string {
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

// secretKeys are parts of an address that must not be shown.
var secretKeys = []string{"token", "secret", "key", "pass", "sig", "auth", "jwt", "credential"}

// describe names an address without what is secret in it.
func describe(target *url.URL) string {
	shown := *target
	if shown.User != nil {
		shown.User = url.User("…")
	}
	query := strings.Split(shown.RawQuery, "&")
	for i, part := range query {
		name, _, _ := strings.Cut(part, "=")
		for _, key := range secretKeys {
			if strings.Contains(strings.ToLower(name), key) {
				query[i] = name + "=…"
			}
		}
	}
	shown.RawQuery = strings.Join(query, "&")
	return strings.ReplaceAll(shown.String(), url.PathEscape("…"), "…")
}
