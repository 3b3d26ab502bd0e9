package signalling

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// MaxCookies and MaxCookieBytes are what browsers keep at least of one server (RFC 6265, 6.1).
const (
	MaxCookies     = 50
	MaxCookieBytes = 4096
)

// MaxTotalCookieBytes bounds the cookies of a viewer together, of all servers: servers accept heads of 8 to 16 KB.
const MaxTotalCookieBytes = 16 << 10

// cookie is one that a server set in response to an offer, for the requests about its session.
type cookie struct {
	name, value, path string
	isSecure          bool
}

// withSet returns the cookies after a response. One without a path belongs to the whole session, wherever that is: a
// load balancer finds its server by it.
func withSet(cookies []cookie, response *http.Response) []cookie {
	kept := 0
	for _, one := range cookies {
		kept += one.size()
	}
	for _, set := range response.Cookies() {
		cookies = slices.DeleteFunc(slices.Clone(cookies), func(one cookie) bool {
			isSame := one.name == set.Name && one.path == set.Path
			if isSame {
				kept -= one.size()
			}
			return isSame
		})
		one := cookie{strings.Clone(set.Name), strings.Clone(set.Value), strings.Clone(set.Path), set.Secure}
		if set.MaxAge < 0 || set.Value == "" || one.size() > MaxCookieBytes || len(cookies) == MaxCookies || kept+one.size() > MaxTotalCookieBytes {
			continue
		}
		cookies = append(cookies, one)
		kept += one.size()
	}
	return cookies
}

func (c cookie) size() int { return len(c.name) + len(c.value) + len(c.path) }

// addTo adds the cookies of an address to a request, after those of the viewer's own headers.
func addTo(request *http.Request, cookies []cookie) {
	for _, one := range cookies {
		if one.isFor(request.URL) {
			request.AddCookie(&http.Cookie{Name: one.name, Value: one.value})
		}
	}
}

// isFor reports whether a cookie belongs to an address of its server (RFC 6265, 5.1.4).
func (c cookie) isFor(target *url.URL) bool {
	if c.isSecure && target.Scheme != "https" {
		return false
	}
	path := max(target.EscapedPath(), "/")
	return c.path == "" || c.path == path || strings.HasPrefix(path, strings.TrimSuffix(c.path, "/")+"/")
}
