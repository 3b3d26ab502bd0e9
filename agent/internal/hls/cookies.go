package hls

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// maxCookies and maxCookieBytes bound what servers can make a viewer keep, and send with each request.
const (
	maxCookies     = 50
	maxCookieBytes = 4 << 10
)

// jar has the cookies of one viewer. Each origin gets only those that it has set itself. The viewer's mutex guards it.
type jar struct{ origins map[string]*cookies }

type cookies struct {
	*cookiejar.Jar
	names map[string]struct{}
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
		if len(j.origins) >= maxCookies {
			return
		}
		made, err := cookiejar.New(nil)
		if err != nil {
			return // it has no errors
		}
		if j.origins == nil {
			j.origins = map[string]*cookies{}
		}
		of = &cookies{made, map[string]struct{}{}}
		j.origins[origin] = of
	}
	kept := set[:0]
	for _, one := range set {
		name := one.Name + ";" + one.Path
		if _, isKnown := of.names[name]; len(one.Name)+len(one.Value)+len(one.Path) > maxCookieBytes || !isKnown && len(of.names) >= maxCookies {
			continue
		}
		of.names[name] = struct{}{}
		one.Domain = "" // for this host only
		kept = append(kept, one)
	}
	of.SetCookies(from, kept)
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
