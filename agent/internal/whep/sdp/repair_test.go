package sdp

import (
	"fmt"
	"strings"
	"testing"

	"fullhouse/agent/internal/media/rtppayload"
)

const repairAnswer = `v=0
o=- 1 1 IN IP4 127.0.0.1
s=-
t=0 0
a=ice-lite
m=audio 9 UDP/TLS/RTP/SAVPF 111
a=ice-ufrag:uuuu
a=ice-pwd:pppppppppppppppppppppp
a=fingerprint:sha-256 AA:BB
a=setup:passive
a=candidate:1 1 udp 2130706431 127.0.0.1 8000 typ host
a=rtpmap:111 opus/48000/2
a=extmap:5 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
a=rtcp-fb:111 transport-cc
m=video 9 UDP/TLS/RTP/SAVPF 97 103 102 109
a=extmap:5/sendonly http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
a=rtpmap:97 rtx/90000
a=fmtp:97 apt=108
a=rtpmap:103 rtx/90000
a=fmtp:103 rtx-time=3000; apt=102
a=rtpmap:102 H264/90000
a=rtcp-fb:102 nack
a=rtcp-fb:102 goog-remb
a=rtcp-fb:102 transport-cc
a=rtpmap:109 rtx/90000
`

func TestCaptureTimesAreNegotiated(t *testing.T) {
	const uri = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"
	for browser, want := range map[bool]int{false: 2, true: 0} { // in both sections
		if got := strings.Count((Offer{Browser: browser}).String(), fmt.Sprintf("a=extmap:%d %s\r\n", CaptureTimeExtension, uri)); got != want {
			t.Errorf("%d in an offer (as a browser: %t), want %d", got, browser, want)
		}
	}
	sent := Offer{Browser: true, Sections: []Section{{Send: &SendStream{Codec: rtppayload.H264}}}}
	if !strings.Contains(sent.String(), uri) {
		t.Error("not in the offer of a sender")
	}
	for line, want := range map[string]uint8{"a=extmap:7 " + uri: 7, "a=extmap:7/inactive " + uri: 0, "a=x:": 0} {
		if a, f := ParseAnswer(crlf(repairAnswer+line+"\n"), Expected{}); f != nil || a.CaptureTime != want {
			t.Errorf("%s: %d, %v", line, a.CaptureTime, f)
		}
	}
}

func TestRetransmissionsAndTransportWideFeedbackOfAnAnswer(t *testing.T) {
	without := func(remove string) string { return strings.ReplaceAll(repairAnswer, remove, "a=x:") }
	for _, test := range []struct {
		name, body string
		rtx        uint8
		extension  uint8
		remb       bool
	}{
		{"all of it", repairAnswer, 103, 5, true},
		{"no apt for the video", without("a=fmtp:103"), 0, 5, true},
		{"the extension without its feedback", strings.ReplaceAll(repairAnswer, "transport-cc\n", "x\n"), 103, 0, true},
		{"the feedback without its extension", without("a=extmap"), 103, 0, true},
		{"the audio's only", without("a=rtcp-fb:102"), 103, 5, false},
		{"an id that is not a number", strings.ReplaceAll(repairAnswer, "a=extmap:5", "a=extmap:x"), 103, 0, true},
		{"an inactive extension", strings.ReplaceAll(without("a=extmap:5 "), "5/sendonly", "5/inactive"), 103, 0, true},
	} {
		a, f := ParseAnswer(crlf(test.body), Expected{})
		if f != nil {
			t.Errorf("%s: %v", test.name, f)
			continue
		}
		if a.Video.RTX != test.rtx || a.TransportCC != test.extension || a.Video.REMB != test.remb {
			t.Errorf("%s: rtx %d, extension %d, REMB %t", test.name, a.Video.RTX, a.TransportCC, a.Video.REMB)
		}
	}
}
