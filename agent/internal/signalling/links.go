package signalling

import (
	"strings"

	"fullhouse/agent/internal/failure"
)

// maxICEServers is more than any server lists.
const maxICEServers = 16

// ICEServer is a STUN or TURN server that a server lists. Its credentials must not be shown.
type ICEServer struct {
	URL                  string
	Username, Credential string
}

// String is the address for sentences, without a login.
func (s ICEServer) String() string {
	scheme, rest, _ := strings.Cut(s.URL, ":")
	return failure.Excerpt(scheme + ":" + rest[strings.LastIndexByte(rest, '@')+1:])
}

// iceServers parses the STUN and TURN servers in Link headers with rel=ice-server (RFC 9725, RFC 8288).
func iceServers(headers []string) []ICEServer {
	var list []ICEServer
	for _, header := range headers {
		for len(header) > 0 && len(list) < maxICEServers {
			begin := strings.IndexByte(header, '<')
			if begin < 0 {
				break
			}
			end := strings.IndexByte(header[begin:], '>')
			if end < 0 {
				break
			}
			target := strings.TrimSpace(header[begin+1 : begin+end])
			var parameters map[string]string
			parameters, header = linkParameters(header[begin+end+1:])
			if hasWord(parameters["rel"], "ice-server") && isICEServer(target) {
				list = append(list, ICEServer{target, parameters["username"], parameters["credential"]})
			}
		}
	}
	return list
}

// linkParameters parses what follows a link's address and returns its parameters by lower-case name, the first of each,
// and what follows its comma.
func linkParameters(text string) (parameters map[string]string, rest string) {
	parameters = map[string]string{}
	quoted, start := false, 0
	take := func(end int) {
		name, value, _ := strings.Cut(text[start:end], "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if _, known := parameters[name]; !known {
			parameters[name] = unquote(strings.TrimSpace(value))
		}
		start = end + 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && c == ';':
			take(i)
		case !quoted && c == ',':
			take(i)
			return parameters, text[i+1:]
		}
	}
	take(len(text))
	return parameters, ""
}

// unquote is the value of a token or a quoted string.
func unquote(value string) string {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return strings.Trim(value, `"`)
	}
	var b strings.Builder
	for i := 1; i < len(value)-1; i++ {
		if value[i] == '\\' && i+1 < len(value)-1 {
			i++
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

func hasWord(words, word string) bool {
	for _, one := range strings.Fields(words) {
		if strings.EqualFold(one, word) {
			return true
		}
	}
	return false
}

func isICEServer(target string) bool {
	scheme, rest, found := strings.Cut(target, ":")
	if !found || rest == "" || strings.ContainsAny(target, " \t\r\n\x00") {
		return false
	}
	switch strings.ToLower(scheme) {
	case "stun", "stuns", "turn", "turns":
		return true
	}
	return false
}
