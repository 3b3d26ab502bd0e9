package signalling

import "strings"

// maxICEServers is more than any server lists.
const maxICEServers = 16

// iceServers parses the addresses of STUN and TURN servers in Link headers with rel=ice-server (RFC 9725, RFC 8288).
// User names and passwords are skipped: the viewers do not use them, and they must not be shown.
func iceServers(headers []string) []string {
	var list []string
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
			var relation string
			relation, header = linkParameters(header[begin+end+1:])
			if hasWord(relation, "ice-server") && isICEServer(target) {
				list = append(list, target)
			}
		}
	}
	return list
}

// linkParameters parses what follows a link's address and returns its rel and what follows its comma.
func linkParameters(text string) (relation, rest string) {
	quoted, start := false, 0
	take := func(end int) {
		name, value, _ := strings.Cut(text[start:end], "=")
		if strings.EqualFold(strings.TrimSpace(name), "rel") && relation == "" {
			relation = strings.Trim(strings.TrimSpace(value), `"`)
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
			return relation, text[i+1:]
		}
	}
	take(len(text))
	return relation, ""
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
