package sdp

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/testing/crafted"
)

// goodAnswer has the shape of a server's, with a rejected data section and candidates of all kinds.
const goodAnswer = `v=0
o=- 1 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0 1
a=ice-lite
a=ice-ufrag:session
a=ice-pwd:sessionsessionsessionsess
a=fingerprint:sha-256 aa:bb:cc
m=audio 9 UDP/TLS/RTP/SAVPF 111
c=IN IP4 0.0.0.0
a=setup:passive
a=mid:0
a=sendonly
a=rtcp-mux
a=rtpmap:111 opus/48000/2
m=video 9 UDP/TLS/RTP/SAVPF 96 102
c=IN IP4 0.0.0.0
a=ice-ufrag:media
a=ice-pwd:mediamediamediamediamedi
a=setup:passive
a=mid:1
a=sendonly
a=rtpmap:96 H261/90000
a=rtpmap:102 H264/90000
a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
a=rtcp-fb:102 nack
a=rtcp-fb:102 nack pli
a=candidate:1 1 udp 100 192.0.2.7 8000 typ host generation 0
a=candidate:2 1 udp 2130706431 127.0.0.1 8000 typ host
a=candidate:3 1 tcp 2130706432 127.0.0.1 8000 typ host tcptype passive
a=candidate:4 1 udp 2130706433 6f3c.local 8000 typ host
a=candidate:5 2 udp 2130706434 127.0.0.1 8001 typ host
a=candidate:6 1 UDP 50 ::1 8000 typ host
a=candidate:2 1 udp 2130706431 127.0.0.1 8000 typ host
a=candidate:broken
`

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestParseAnswer(t *testing.T) {
	a, f := ParseAnswer(crlf(goodAnswer), Expected{})
	if f != nil {
		t.Fatal(f)
	}
	if a.Ufrag != "session" || a.Hash != "sha-256" || a.Fingerprint != "AA:BB:CC" {
		t.Errorf("%+v", a)
	}
	if a.Video != (Track{PayloadType: 102, Codec: rtppayload.H264, ClockRate: 90000, NACK: true, PLI: true}) || a.Audio != (Track{PayloadType: 111, ClockRate: 48000}) {
		t.Errorf("video %+v, audio %+v", a.Video, a.Audio)
	}
	want := []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:8000"), netip.MustParseAddrPort("192.0.2.7:8000"), netip.MustParseAddrPort("[::1]:8000")}
	if !slices.Equal(a.Named, []Named{{"6f3c.local", 8000, "host"}}) || a.PassedOver != 1 {
		t.Errorf("names %v, %d passed over", a.Named, a.PassedOver)
	}
	if len(a.Candidates) != len(want) {
		t.Fatalf("candidates %v, want %v", a.Candidates, want)
	}
	for i := range want {
		if a.Candidates[i].Address != want[i] {
			t.Errorf("candidates %v, want %v", a.Candidates, want)
		}
	}
}

func TestInvalidAnswers(t *testing.T) {
	without := func(prefix string) string {
		var kept []string
		for _, line := range strings.Split(goodAnswer, "\n") {
			if !strings.HasPrefix(line, prefix) {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "\n")
	}
	for _, test := range []struct{ name, body, cause string }{
		{"empty", "", "not-sdp"},
		{"HTML", "<html>Welcome</html>", "not-sdp"},
		{"truncated in a line", goodAnswer[:15], "not-sdp"},
		{"truncated before the media", goodAnswer[:strings.Index(goodAnswer, "m=audio")], "no-codec"},
		{"huge", goodAnswer + strings.Repeat("a=x:y\n", maxBytes), "answer-too-large"},
		{"no fingerprint", without("a=fingerprint"), "no-fingerprint"},
		{"no H.264", without("a=rtpmap:102"), "no-codec"},
		{"all rejected", strings.NewReplacer("m=video 9", "m=video 0", "m=audio 9", "m=audio 0").Replace(goodAnswer), "no-codec"},
		{"no ICE", without("a=ice-"), "no-ice"},
		{"no candidate", without("a=candidate"), "no-candidate"},
		{"a name as the only candidate, to be resolved", without("a=candidate:1")[:strings.Index(without("a=candidate:1"), "a=candidate:2")] + "a=candidate:4 1 udp 1 6f3c.local 8000 typ host\n", ""},
		{"no candidate, of a full ICE server", strings.Replace(without("a=candidate"), "a=ice-lite\n", "", 1), ""},
		{"active", strings.ReplaceAll(goodAnswer, "setup:passive", "setup:active"), ""},
		{"actpass", strings.ReplaceAll(goodAnswer, "setup:passive", "setup:actpass"), "setup-actpass"},
		{"holdconn", strings.ReplaceAll(goodAnswer, "setup:passive", "setup:holdconn"), "setup-holdconn"},
	} {
		_, f := ParseAnswer(crlf(test.body), Expected{})
		switch {
		case test.cause == "" && f != nil:
			t.Errorf("%s: %v", test.name, f)
		case test.cause != "" && (f == nil || f.Cause.String() != test.cause || f.Stage != "signalling"):
			t.Errorf("%s: %v, want the cause %s", test.name, f, test.cause)
		}
	}
	if _, f := ParseAnswer(crlf(without("a=rtpmap:102")), Expected{}); f == nil || !strings.Contains(f.Detail, "H261/90000") {
		t.Errorf("%v does not contain the codecs of the answer", f)
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(crlf(goodAnswer))
	f.Add("v=0\r\nm=video 9 x 96\r\na=rtpmap:96 H264\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		defer crafted.Watch(t)(len(body))
		expected := Expected{Over: Transport(len(body) % 2), AudioOnly: len(body)%4 > 1}
		a, failure := ParseAnswer(body, expected)
		if failure == nil && ((a.Video.IsNone() && a.Audio.IsNone() || expected.AudioOnly && (a.Audio.IsNone() || !a.Video.IsNone())) || a.Ufrag == "" || a.Fingerprint == "" || len(a.Candidates)+len(a.Named) == 0 && a.Lite || len(a.Candidates) > maxCandidates) {
			t.Errorf("accepted as %+v", a)
		}
	})
}

func TestTheOfferParsesLikeABrowsers(t *testing.T) {
	o := Offer{SessionID: 7, Ufrag: "uuuu", Password: "pppppppppppppppppppppp", Fingerprint: "AA:BB", Candidate: netip.MustParseAddrPort("127.0.0.1:40000")}
	var description sdp.SessionDescription
	if err := description.UnmarshalString(o.String()); err != nil {
		t.Fatal(err)
	}
	if len(description.MediaDescriptions) != 2 {
		t.Fatalf("%d media sections", len(description.MediaDescriptions))
	}
	for _, media := range description.MediaDescriptions {
		for _, key := range []string{"ice-ufrag", "ice-pwd", "fingerprint", "setup", "mid", "recvonly", "rtcp-mux", "candidate"} {
			if _, found := media.Attribute(key); !found {
				t.Errorf("%s has no %s", media.MediaName.Media, key)
			}
		}
	}
	if got, _, _ := usable(readCandidates(description.MediaDescriptions[1].Attributes, UDP)); len(got) != 1 || got[0].Address != o.Candidate {
		t.Errorf("candidates %v", got)
	}
}

func FuzzSources(f *testing.F) {
	f.Add(crlf(goodAnswer))
	f.Add("v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=msid:one TR_x\r\na=ssrc-group:FID 5 6\r\na=ssrc:5 cname:a\r\na=ssrc:6 cname:a\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		defer crafted.Watch(t)(len(body))
		if ufrag, password := Credentials(body); (ufrag == "") != (password == "") {
			t.Errorf("ICE data %q and %q", ufrag, password)
		}
		seen := map[uint32]bool{}
		for _, one := range Sources(body) {
			if one.SSRC == 0 || seen[one.SSRC] {
				t.Errorf("stream %d is listed twice, or has no number", one.SSRC)
			}
			seen[one.SSRC] = true
		}
		if len(seen) > maxSources {
			t.Errorf("%d streams", len(seen))
		}
	})
}

func TestStreamsOfAnAnswer(t *testing.T) {
	const body = "v=0\no=- 1 2 IN IP4 127.0.0.1\ns=-\nt=0 0\nm=video 9 UDP/TLS/RTP/SAVPF 96\na=msid:PA_1 TR_1\na=ssrc-group:FID 5 6\na=ssrc:5 cname:a\na=ssrc:5 msid:PA_1 TR_1\na=ssrc:6 cname:a\n" +
		"m=audio 9 UDP/TLS/RTP/SAVPF 111\na=msid:PA_1 TR_2\na=ssrc:7 cname:a\n" +
		"a=ice-ufrag:one\na=ice-pwd:two\n"
	want := []Source{{5, "TR_1", 0}, {6, "TR_1", 5}, {7, "TR_2", 0}}
	if ufrag, password := Credentials(crlf(body)); ufrag != "one" || password != "two" {
		t.Errorf("ICE data %q and %q", ufrag, password)
	}
	if got := Sources(crlf(body)); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAnswersWithoutVideo(t *testing.T) {
	full := strings.Replace(goodAnswer, "a=ice-lite\n", "", 1) // the candidates are those of the video
	rejected := regexp.MustCompile(`m=video \d+`).ReplaceAllString(full, "m=video 0")
	for _, body := range []string{goodAnswer, rejected} {
		a, f := ParseAnswer(crlf(body), Expected{AudioOnly: true})
		if f != nil || !a.Video.IsNone() || a.Audio.IsNone() || a.FEC != 0 || len(a.Others) > 0 {
			t.Errorf("%+v, %v", a, f)
		}
	}
	for _, body := range []string{rejected, strings.Replace(goodAnswer[:strings.Index(goodAnswer, "m=video")], "a=ice-lite\n", "", 1)} {
		if a, f := ParseAnswer(crlf(body), Expected{}); f != nil || !a.Video.IsNone() || a.Audio.IsNone() {
			t.Errorf("a stream without video: %+v, %v", a, f)
		}
		if _, f := ParseAnswer(crlf(body), Expected{Sends: true}); f == nil || f.Cause.String() != "no-codec" {
			t.Errorf("a server that refuses the publisher's video: %v", f)
		}
	}
	if _, f := ParseAnswer(crlf(strings.ReplaceAll(full, "H264/", "X/")), Expected{}); f == nil || f.Cause.String() != "no-codec" || !strings.Contains(f.Detail, "tracks: audio") {
		t.Errorf("video in another codec: %v", f)
	}
	without := regexp.MustCompile(`m=audio \d+`).ReplaceAllString(goodAnswer, "m=audio 0")
	if a, f := ParseAnswer(crlf(without), Expected{}); f != nil || a.Video.IsNone() || !a.Audio.IsNone() {
		t.Errorf("a stream without audio: %+v, %v", a, f)
	}
	if _, f := ParseAnswer(crlf(without), Expected{AudioOnly: true}); f == nil || f.Cause.String() != "no-codec" {
		t.Errorf("%v", f)
	}
	if offer := (Offer{AudioOnly: true}).String(); strings.Count(offer, "\r\nm=") != 1 || !strings.Contains(offer, "\r\nm=audio") {
		t.Error(offer)
	}
}
