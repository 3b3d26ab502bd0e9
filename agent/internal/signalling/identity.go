package signalling

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
)

// minMasked is the length from which a value is removed from a server's words; shorter ones occur in any text.
const minMasked = 4

// Identity is how one viewer or publisher presents itself to its server. Its values may be secrets.
type Identity struct {
	// Token is the bearer token; empty for none.
	Token string
	// Header has further headers; nil for none.
	Header http.Header
	// Login is sent to a server that requires one (Basic, RFC 7617); nil for none.
	Login *Login

	// loggedIn is true once the server has required the login.
	loggedIn bool
	// cookies are those of the session.
	cookies []cookie
}

// Login is a user of a server, of all viewers of a job.
type Login struct {
	User, Password string

	// isRequired is true once the server has required it. Later viewers send it at once, as browsers do: servers slow
	// down clients whose first requests have none.
	isRequired atomic.Bool
}

// WithoutSession is the identity for another session.
func (i Identity) WithoutSession() Identity {
	i.cookies = nil
	return i
}

// mayLogIn reports whether a response requires a login that has not been sent. A configured token or Authorization header
// has precedence.
func (i Identity) mayLogIn(response *http.Response) bool {
	return response.StatusCode == http.StatusUnauthorized && i.Login != nil && !i.loggedIn && i.Token == "" &&
		i.Header.Get("Authorization") == "" && requiresLogin(response.Header)
}

// requiresLogin reports whether a server accepts a user and a password. One header may list several schemes.
func requiresLogin(header http.Header) bool {
	for _, challenge := range header.Values("WWW-Authenticate") {
		for part := range strings.SplitSeq(challenge, ",") {
			if scheme, _, _ := strings.Cut(strings.TrimSpace(part), " "); strings.EqualFold(scheme, "Basic") {
				return true
			}
		}
	}
	return false
}

// HeaderFor are the headers for a request to an address: none for another origin than the endpoint's, e.g. after a
// redirect; browsers don't send credentials there either.
func (i Identity) HeaderFor(endpoint, target *url.URL) http.Header {
	if !isSameServer(endpoint, target) {
		return nil
	}
	if i.Token == "" {
		return i.Header
	}
	header := i.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Authorization", "Bearer "+i.Token)
	return header
}

// set adds the identity to a request.
func (i Identity) set(request *http.Request, endpoint *url.URL) {
	request.Header.Set("User-Agent", userAgent)
	for name, values := range i.HeaderFor(endpoint, request.URL) {
		request.Header[name] = values
	}
	if !isSameServer(endpoint, request.URL) {
		return
	}
	addTo(request, i.cookies)
	switch password, isSet := endpoint.User.Password(); {
	case request.Header.Get("Authorization") != "":
	case i.loggedIn:
		request.SetBasicAuth(i.Login.User, i.Login.Password)
	case isSet: // absolute addresses of sessions lack the login
		request.SetBasicAuth(endpoint.User.Username(), password)
	}
}

// mask removes the identity's values from what a server says.
func (i Identity) mask(words string) string {
	replace := func(value string) {
		if len(value) >= minMasked {
			words = strings.ReplaceAll(words, value, "(removed)")
		}
	}
	replace(i.Token)
	if i.Login != nil {
		replace(i.Login.Password)
		replace(base64.StdEncoding.EncodeToString([]byte(i.Login.User + ":" + i.Login.Password)))
	}
	for _, one := range i.cookies {
		replace(one.value)
	}
	for _, values := range i.Header {
		for _, value := range values {
			replace(value)
			// The part after the scheme of a credential, or after the name of a cookie.
			replace(value[strings.LastIndexAny(value, " =")+1:])
		}
	}
	return words
}

// HeaderTemplate is a header whose value may contain NumberPlace and TokenPlace.
type HeaderTemplate struct{ Name, Value string }

// Stand for the number and the token of a viewer in the value of a header.
const (
	NumberPlace = "{n}"
	TokenPlace  = "{token}"
)

// Identities are those of the viewers of a job, in the order of their arrival; nil has none.
type Identities struct {
	// BearerToken is that of all viewers, Tokens instead one of each; a viewer beyond them has none.
	BearerToken string
	Tokens      []string
	Headers     []HeaderTemplate
	// Login is that of all viewers; nil for none.
	Login *Login
	// FirstNumber is that of the first viewer.
	FirstNumber int

	made atomic.Int64
}

// HasTokenPlace reports whether the tokens are sent in headers only.
func (i *Identities) HasTokenPlace() bool {
	for _, header := range i.Headers {
		if strings.Contains(header.Value, TokenPlace) {
			return true
		}
	}
	return false
}

// Next is the identity of the next viewer.
func (i *Identities) Next() Identity {
	if i == nil {
		return Identity{}
	}
	index := int(i.made.Add(1)) - 1
	of := Identity{Token: i.BearerToken, Login: i.Login}
	of.loggedIn = i.Login != nil && i.Login.isRequired.Load() && i.BearerToken == "" && len(i.Tokens) == 0
	if len(i.Tokens) > 0 {
		of.Token = ""
		if index < len(i.Tokens) {
			of.Token = i.Tokens[index]
		}
	}
	if len(i.Headers) == 0 {
		return of
	}
	of.Header = make(http.Header, len(i.Headers))
	places := strings.NewReplacer(NumberPlace, strconv.Itoa(i.FirstNumber+index), TokenPlace, of.Token)
	for _, header := range i.Headers {
		of.Header.Set(header.Name, places.Replace(header.Value))
	}
	if i.HasTokenPlace() {
		of.Token = ""
	}
	return of
}
