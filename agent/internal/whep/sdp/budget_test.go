package sdp

import (
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

func TestAnswersTakeNoMoreMemoryThanTheirTextAllows(t *testing.T) {
	head := "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"
	room := func(line string, size int) []byte { return []byte(head + strings.Repeat(line, size/len(line))) }
	named := map[string][]byte{
		"formats":         []byte(head + "m=video 9 UDP/TLS/RTP/SAVPF" + strings.Repeat(" 96", 10_000) + "\r\n" + strings.Repeat("a=rtpmap:96 VP8/90000\r\n", 1400)),
		"passwords":       []byte("v=1" + strings.Repeat("a=ice-pwd:\n", 5_500)),
		"sections":        room("m=a 9 b 0\r\n", 60_000),
		"candidates":      []byte(head + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n" + strings.Repeat("a=candidate:1 1 udp 1 10.0.0.1 1 typ host\r\n", 1400)),
		"a room":          room("m=a 9 b 0\r\n", 4<<20),
		"a room's lines":  room("a=x\r\n", 4<<20),
		"a room's stream": room("a=ssrc:1 a\r\na=ssrc-group:FID 1 2\r\n", 4<<20),
	}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Text(1000, crlf(goodAnswer), strings.Replace(crlf(goodAnswer), "a=ice-lite\r\n", "", 1))), func(text []byte) {
		for _, expected := range []Expected{{}, {AudioOnly: true}, {Over: TCP}} {
			_, _ = ParseAnswer(string(text), expected)
		}
		_, _ = ParseFragment(string(text), "a", UDP)
		_ = Sources(string(text))
		_, _ = Credentials(string(text))
	})
}

func TestAnAnswerWithTooManyLinesIsRefused(t *testing.T) {
	_, f := ParseAnswer("v=0\r\n"+strings.Repeat("a=x\r\n", 3000), Expected{})
	if f == nil || f.Cause.String() != "answer-too-large" || f.Detail != "The answer has more than 2000 lines." {
		t.Errorf("%v", f)
	}
}
