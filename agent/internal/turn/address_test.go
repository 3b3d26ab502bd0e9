package turn

import (
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]Address{
		"turn:a.example":                    {"a.example", "3478", UDP},
		"turn:a.example:99?transport=udp":   {"a.example", "99", UDP},
		"TURN:a.example?transport=TCP":      {"a.example", "3478", TCP},
		"turns:a.example":                   {"a.example", "5349", TLS},
		"turns:[2001:db8::1]:443":           {"2001:db8::1", "443", TLS},
		"turns:192.0.2.1:443?transport=tcp": {"192.0.2.1", "443", TLS},
		"turn:[::1]":                        {"::1", "3478", UDP},
	} {
		if got, err := ParseAddress(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, says := range map[string]string{
		"stun:a.example":                "not a TURN address",
		"a.example:3478":                "not a TURN address",
		"turn:":                         "no valid host",
		"turn:user@a.example":           "no valid host",
		"turn:a.example:0":              "no valid port",
		"turn:a.example:x":              "no valid port",
		"turn:2001:db8::1":              "no valid host",
		"turn:[2001:db8::1":             "IPv6",
		"turn:[192.0.2.1]":              "IPv6",
		"turns:a.example?transport=udp": "DTLS",
		"turn:a.example?transport=sctp": "unknown parameter",
		"turn:a.example?ttl=1":          "unknown parameter",
	} {
		if got, err := ParseAddress(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("turn:a.example:99?transport=udp")
	f.Add("turns:[2001:db8::1]:443")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err == nil && (a.Host == "" || a.Port == "" || !strings.Contains(text, a.Host)) {
			t.Errorf("%q: %+v", text, a)
		}
	})
}
