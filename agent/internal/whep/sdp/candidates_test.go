package sdp

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/testing/crafted"
)

func TestCandidatesOfAllKinds(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{"1 1 udp 100 192.0.2.7 8000 typ host", "192.0.2.7:8000"},
		{"1 1 UDP 100 2001:db8::7 8000 typ srflx raddr 0.0.0.0 rport 0", "[2001:db8::7]:8000"},
		{"1 1 udp 100 ::ffff:192.0.2.7 8000 typ relay", "192.0.2.7:8000"},
		{"1 1 tcp 100 192.0.2.7 8000 typ host tcptype passive", "passed over"},
		{"1 1 udp 100 6f3c.local 8000 typ host", "6f3c.local"},
		{"1 1 udp 100 Media-1.example.com. 8000 typ srflx raddr 0.0.0.0 rport 0", "Media-1.example.com."},
		{"1 1 tcp 100 6f3c.local 8000 typ host tcptype passive", "passed over"},
		{"1 1 udp 100 6f3c.local 0 typ host", "passed over"},
		{"1 1 udp 100 a/b 8000 typ host", "passed over"},
		{"1 1 udp 100 fe80::1 8000 typ host", "passed over"},
		{"1 1 udp 100 fe80::1%eth0 8000 typ host", "passed over"},
		{"1 1 udp 100 0.0.0.0 8000 typ host", "passed over"},
		{"1 1 udp 100 224.0.0.1 8000 typ host", "passed over"},
		{"1 1 udp 100 192.0.2.7 0 typ host", "passed over"},
		{"1 2 udp 100 192.0.2.7 8000 typ host", ""},
		{"1 1 udp -1 192.0.2.7 8000 typ host", ""},
		{"1 1 udp 100 192.0.2.7 99999 typ host", ""},
		{"1 1 udp 100 192.0.2.7 8000", ""},
		{"", ""},
	} {
		one, ok := readCandidate(test.value, UDP)
		got := ""
		if ok {
			got = "passed over"
		}
		if one.name != "" {
			got = one.name
		}
		if one.Address.IsValid() {
			got = one.Address.String()
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.value, got, test.want)
		}
	}
}

func TestPassiveCandidatesOverTCP(t *testing.T) {
	for value, want := range map[string]string{
		"1 1 tcp 100 192.0.2.7 8000 typ host tcptype passive":                               "192.0.2.7:8000",
		"1 1 TCP 100 192.0.2.7 8000 typ srflx raddr 10.0.0.1 rport 9 tcptype PASSIVE gen 0": "192.0.2.7:8000",
		"1 1 tcp 100 192.0.2.7 9 typ host tcptype active":                                   "invalid AddrPort",
		"1 1 tcp 100 192.0.2.7 8000 typ host":                                               "invalid AddrPort",
		"1 1 tcp 100 192.0.2.7 8000 typ host tcptype":                                       "invalid AddrPort",
		"1 1 udp 100 192.0.2.7 8000 typ host":                                               "invalid AddrPort",
	} {
		if one, ok := readCandidate(value, TCP); !ok || one.Address.String() != want {
			t.Errorf("%q: %s, want %s", value, one.Address, want)
		}
	}
	// Ours is active, which a server does not connect to.
	address := netip.MustParseAddrPort("192.0.2.1:9")
	if text := candidateText(address, netip.AddrPort{}, TCP); text != "1 1 tcp 1518280447 192.0.2.1 9 typ host tcptype active" {
		t.Error(text)
	}
}

func TestTheFragmentIsReadAsItIsWritten(t *testing.T) {
	address := netip.MustParseAddrPort("[::1]:4000")
	f := Fragment{Ufrag: "u", Password: "p", Candidate: address}
	if got, _ := ParseFragment(f.String(), "u", UDP); !slices.Equal(got, []Candidate{{Address: address, Type: "host"}}) {
		t.Errorf("%v", got)
	}
	if got, _ := ParseFragment(f.String(), "another", UDP); got != nil {
		t.Errorf("%v of another session", got)
	}
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "a=candidate:1 1 udp %d 127.0.0.1 %d typ host\n", i, 1000+i)
	}
	if got, _ := ParseFragment(b.String(), "u", UDP); len(got) != maxCandidates {
		t.Errorf("%d of 100", len(got))
	}
	if got, _ := ParseFragment(strings.Repeat("x", maxBytes+1), "u", UDP); got != nil {
		t.Errorf("%v of a huge fragment", got)
	}
}

func TestAFingerprintWithSHA256IsPreferred(t *testing.T) {
	for _, line := range []string{"a=fingerprint:sha-512 11:22\na=fingerprint:SHA-256 aa:bb:cc", "a=fingerprint:sha-256 aa:bb:cc\na=fingerprint:sha-1 33"} {
		a, f := ParseAnswer(crlf(strings.Replace(goodAnswer, "a=fingerprint:sha-256 aa:bb:cc", line, 1)), Expected{})
		if f != nil || a.Hash != "sha-256" || a.Fingerprint != "AA:BB:CC" {
			t.Errorf("%+v, %v", a, f)
		}
	}
}

// TestATruncatedAnswer never panics, and never yields video that the answer does not have.
func TestATruncatedAnswer(t *testing.T) {
	whole := crlf(goodAnswer)
	for i := range len(whole) {
		if a, f := ParseAnswer(whole[:i], Expected{}); f == nil && (!a.Video.IsNone() && a.Video.PayloadType != 102 || a.Ufrag != "session" || len(a.Candidates) == 0) {
			t.Errorf("cut at %d: %+v", i, a)
		}
		damaged := whole[:i] + "\x00" + whole[i+1:]
		if _, f := ParseAnswer(damaged, Expected{}); f != nil && f.Detail == "" {
			t.Errorf("zero at %d: %v", i, f)
		}
	}
}

func TestAServerMaySendAnyFormatThatItsAnswerNames(t *testing.T) {
	answer := strings.Replace(goodAnswer, "SAVPF 96 102", "SAVPF 96 102 108", 1)
	answer = strings.Replace(answer, "a=rtcp-fb:102 nack\n", "a=rtcp-fb:102 nack\na=rtpmap:108 H264/90000\na=rtcp-fb:108 nack pli\n", 1)
	a, f := ParseAnswer(crlf(answer), Expected{})
	if f != nil || a.Video.PayloadType != 102 {
		t.Fatalf("%+v, %v", a, f)
	}
	if other, found := a.Other(108); !found || other != (Track{PayloadType: 108, Codec: rtppayload.H264, ClockRate: 90000, PLI: true}) {
		t.Errorf("%+v, %v", other, found)
	}
	if _, found := a.Other(96); found {
		t.Error("H.261 is accepted")
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	for _, body := range []string{"v=0\r\na=ice-pwd:hidden\r\nm=x", "v=0\na=ice-pwd:hidden", "v=0\na=ice-pwd:hidden\na=ice-pwd:hidden\n"} {
		if _, f := ParseAnswer(body, Expected{}); f == nil || strings.Contains(f.Detail, "hidden") {
			t.Errorf("%v", f)
		}
	}
}

func FuzzParseFragment(f *testing.F) {
	f.Add(Fragment{Ufrag: "u", Password: "p", Candidate: netip.MustParseAddrPort("127.0.0.1:4000")}.String())
	f.Add("a=candidate:1 1 udp 1 6f3c.local 8000 typ host\na=candidate:1 1 udp 1 ::1 8000 typ host")
	f.Fuzz(func(t *testing.T, body string) {
		defer crafted.Watch(t)(len(body))
		addresses, _ := ParseFragment(body, "u", Transport(len(body)%2))
		if len(addresses) > maxCandidates {
			t.Errorf("%d candidates", len(addresses))
		}
		for _, one := range addresses {
			if !one.Address.IsValid() || one.Address.Port() == 0 {
				t.Errorf("%v", one)
			}
		}
	})
}
