package audience

import (
	"regexp"
	"strings"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
)

// What a header may have (RFC 9110, 5.1 and 5.5), without the obsolete characters above ASCII.
var (
	headerName  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	headerValue = regexp.MustCompile("^[!-~]([ -~]*[!-~])?$")
)

// identities are the tokens and headers of a job's viewers, shared by the groups of all of its addresses.
func identities(params protocol.AudienceStartParams) (*signalling.Identities, error) {
	if !isOneOf(protocol.HTTPProtocols, params.Protocol) {
		switch {
		case len(params.Headers) > 0:
			return nil, control.BadRequest("%s has no headers: leave them out.", params.Protocol)
		case params.Login != nil:
			return nil, control.BadRequest("%s has no login: leave it out.", params.Protocol)
		}
		return nil, nil
	}
	all := &signalling.Identities{BearerToken: params.BearerToken, Tokens: params.Tokens, FirstNumber: orDefault(params.FirstViewer, 1)}
	switch {
	case params.Login == nil:
	case params.Protocol != protocol.PullProtocolWHEP:
		return nil, control.BadRequest("%s has no login: leave it out.", params.Protocol)
	default:
		all.Login = &signalling.Login{User: params.Login.User, Password: params.Login.Password}
	}
	for _, header := range params.Headers {
		switch {
		case !headerName.MatchString(header.Name) || isRefused(header.Name):
			return nil, control.BadRequest("Viewers can't send the header %q: its name is invalid, or one that HTTP itself needs.", header.Name)
		case !headerValue.MatchString(header.Value): // the value is not repeated: it may be a secret
			return nil, control.BadRequest("The value of the header %s has characters that a header can't have.", header.Name)
		}
		all.Headers = append(all.Headers, signalling.HeaderTemplate{Name: header.Name, Value: header.Value})
	}
	for _, token := range params.Tokens {
		if all.HasTokenPlace() && !headerValue.MatchString(token) {
			return nil, control.BadRequest("One of the tokens has characters that a header can't have.")
		}
	}
	switch {
	case len(params.Tokens) > 0 && len(params.Tokens) != params.Viewers:
		return nil, control.BadRequest("%d viewers need one token each; tokens has %d.", params.Viewers, len(params.Tokens))
	case all.HasTokenPlace() && len(params.Tokens) == 0:
		return nil, control.BadRequest("The headers contain %s, but the job has no tokens.", signalling.TokenPlace)
	case params.Protocol != protocol.PullProtocolWHEP && len(params.Tokens) > 0 && !all.HasTokenPlace():
		return nil, control.BadRequest("%s has no bearer token. Write %s into the value of a header.", params.Protocol, signalling.TokenPlace)
	}
	return all, nil
}

// isRefused reports whether a header has a meaning for the request itself.
func isRefused(name string) bool {
	for _, refused := range strings.Fields(protocol.RefusedHeaders) {
		if start, isPrefix := strings.CutSuffix(refused, "*"); isPrefix && strings.HasPrefix(strings.ToLower(name), start) || strings.EqualFold(name, refused) {
			return true
		}
	}
	return false
}
