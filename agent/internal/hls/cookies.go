package hls

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"fullhouse/agent/internal/signalling"
)

// jar has the cookies of one viewer. Each origin gets only those that it has set itself. The viewer's mutex guards it.
type jar struct {
	origins map[string]*cookies
	bytes   int
}

type cookies struct {
	*cookiejar.Jar
	// sizes are those of the cookies by name and path, in bytes.
	sizes map[string]int
}

func newJar() *jar { return &jar{} }

// take keeps what a response sets.
func (j *jar) take(from *url.URL, response *http.Response) {
	set := response.Cookies()
	if len(set) == 0 {
		return
	}
	origin := originOf(from)
	of := j.origins[origin]
	if of == nil {
		if len(j.origins) >= signalling.MaxCookies {
			return
		}
		made, err := cookiejar.New(nil)
		if err != nil {
			return // it has no errors
		}
		if j.origins == nil {
			j.origins = map[string]*cookies{}
		}
		of = &cookies{made, map[string]int{}}
		j.origins[origin] = of
	}
	kept := set[:0]
	for _, one := range set {
		if j.mayKeep(of, one, pathOf(one, from)) {
			kept = append(kept, unshared(one))
		}
	}
	of.SetCookies(from, kept)
}

// mayKeep reports whether a cookie is within the bounds, and counts it. One that ends at once is not kept: it removes
// that of the same name.
func (j *jar) mayKeep(of *cookies, one *http.Cookie, folder string) bool {
	name, size := one.Name+";"+folder, len(one.Name)+len(one.Value)+len(folder)
	before, isKnown := of.sizes[name]
	if one.MaxAge < 0 || one.MaxAge == 0 && one.RawExpires != "" && one.Expires.Before(time.Now()) {
		delete(of.sizes, name)
		j.bytes -= before
		return isKnown
	}
	if size > signalling.MaxCookieBytes || !isKnown && len(of.sizes) >= signalling.MaxCookies || j.bytes-before+size > signalling.MaxTotalCookieBytes {
		return false
	}
	of.sizes[name] = size
	j.bytes += size - before
	return true
}

// pathOf is the path of a cookie: its own, or the folder of the response that sets it (RFC 6265, 5.1.4).
func pathOf(one *http.Cookie, from *url.URL) string {
	if strings.HasPrefix(one.Path, "/") {
		return one.Path
	}
	if end := strings.LastIndexByte(from.Path, '/'); end > 0 {
		return from.Path[:end]
	}
	return "/"
}

// unshared is a cookie for its host only, without the text of its header, which may be long.
func unshared(one *http.Cookie) *http.Cookie {
	one.Name, one.Value, one.Path, one.Domain = strings.Clone(one.Name), strings.Clone(one.Value), strings.Clone(one.Path), ""
	return one
}

// header is the value of Cookie for an address; empty without cookies.
func (j *jar) header(target *url.URL) string {
	of := j.origins[originOf(target)]
	if of == nil {
		return ""
	}
	var text strings.Builder
	for i, one := range of.Cookies(target) {
		if i > 0 {
			text.WriteString("; ")
		}
		value := one.Value
		if one.Quoted {
			value = `"` + value + `"`
		}
		text.WriteString(one.Name + "=" + value)
	}
	return text.String()
}
