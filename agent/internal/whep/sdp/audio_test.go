package sdp

import (
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"fullhouse/agent/internal/media/rtppayload"
)

func TestAudioIsOfferedInTheOrderOfABrowser(t *testing.T) {
	for _, audioOnly := range []bool{false, true} {
		offer := Offer{Candidate: netip.MustParseAddrPort("127.0.0.1:9000"), AudioOnly: audioOnly}.String()
		if !strings.Contains(offer, "\r\nm=audio 9000 UDP/TLS/RTP/SAVPF 111 9 0 8\r\n") {
			t.Error(offer)
		}
		for _, line := range []string{"a=rtpmap:111 opus/48000/2", "a=rtpmap:9 G722/8000", "a=rtpmap:0 PCMU/8000", "a=rtpmap:8 PCMA/8000"} {
			if !strings.Contains(offer, "\r\n"+line+"\r\n") {
				t.Errorf("no %s", line)
			}
		}
	}
	// A publisher's audio is Opus alone.
	if sent := (Offer{Sections: []Section{{Audio: true, Send: &SendStream{SSRC: 1, Track: "a"}}}}).String(); !strings.Contains(sent, "SAVPF 111\r\n") {
		t.Error(sent)
	}
}

func TestAnswersOfMediaMTX(t *testing.T) {
	h264 := Track{PayloadType: 108, Codec: rtppayload.H264, ClockRate: 90000, NACK: true, PLI: true, TransportCC: true}
	for name, want := range map[string]Answer{
		"aac":   {Video: h264, Audio: Track{PayloadType: 0, Audio: PCMU, ClockRate: 8000}},
		"opus":  {Video: h264, Audio: Track{PayloadType: 111, Audio: Opus, ClockRate: 48000, TransportCC: true}},
		"pcma":  {Video: h264, Audio: Track{PayloadType: 8, Audio: PCMA, ClockRate: 8000}},
		"g722":  {Video: h264, Audio: Track{PayloadType: 9, Audio: G722, ClockRate: 8000}},
		"audio": {Video: Track{PayloadType: 96, Codec: rtppayload.VP8, ClockRate: 90000, NACK: true, PLI: true, TransportCC: true}, NoVideo: true, Audio: Track{PayloadType: 111, Audio: Opus, ClockRate: 48000, TransportCC: true}},
	} {
		body, err := os.ReadFile("testdata/mediamtx-" + name + ".sdp")
		if err != nil {
			t.Fatal(err)
		}
		a, f := ParseAnswer(crlf(string(body)), Expected{})
		if f != nil || a.Video != want.Video || a.Audio != want.Audio || a.NoVideo != want.NoVideo || len(a.Candidates) == 0 || a.Setup != "passive" {
			t.Errorf("%s: video %+v, audio %+v, %v, %v", name, a.Video, a.Audio, a.NoVideo, f)
		}
		if name == "audio" {
			continue
		}
		if a, f := ParseAnswer(crlf(string(body)), Expected{AudioOnly: true}); f != nil || !a.Video.IsNone() || a.Audio != want.Audio {
			t.Errorf("%s, audio only: %+v, %v", name, a, f)
		}
	}
}

func TestAudioOfAnAnswer(t *testing.T) {
	audio := func(formats, lines string) string {
		return strings.Replace(strings.Replace(goodAnswer, "SAVPF 111", "SAVPF "+formats, 1), "a=rtpmap:111 opus/48000/2\n", lines, 1)
	}
	for _, test := range []struct {
		body  string
		audio []Track
	}{
		{audio("0", ""), []Track{{PayloadType: 0, Audio: PCMU, ClockRate: 8000}}},
		{audio("9", ""), []Track{{PayloadType: 9, Audio: G722, ClockRate: 8000}}},
		{audio("8", "a=rtpmap:8 pcma/8000/1\n"), []Track{{PayloadType: 8, Audio: PCMA, ClockRate: 8000}}},
		{audio("96 8", "a=rtpmap:96 PCMU/8000\n"), []Track{{PayloadType: 96, Audio: PCMU, ClockRate: 8000}, {PayloadType: 8, Audio: PCMA, ClockRate: 8000}}},
		{audio("0", "a=rtpmap:0 PCMU/16000\n"), nil},
		{audio("111", ""), nil},
		{audio("97", "a=rtpmap:97 MPEG4-GENERIC/48000/2\n"), nil},
		{strings.Replace(audio("111", "a=rtpmap:111 opus/48000/2\n"), "a=sendonly", "a=inactive", 1), nil},
	} {
		a, f := ParseAnswer(crlf(test.body), Expected{})
		got := slices.Concat([]Track{a.Audio}, a.OtherAudio)
		if a.Audio.IsNone() {
			got = nil
		}
		if f != nil || !slices.Equal(got, test.audio) || a.Video.IsNone() {
			t.Errorf("%+v, want %+v: %v", got, test.audio, f)
		}
	}
}

func TestAServerMaySwitchToAnyFormatOfItsAnswer(t *testing.T) {
	a := Answer{Video: Track{PayloadType: 102, ClockRate: 90000}, Others: []Track{{PayloadType: 96, ClockRate: 90000}},
		Audio: Track{PayloadType: 111, ClockRate: 48000}, OtherAudio: []Track{{PayloadType: 0, Audio: PCMU, ClockRate: 8000}}}
	if isVideo, isFound := a.Adopt(0); isVideo || !isFound || a.Audio.Audio != PCMU || a.OtherAudio[0].PayloadType != 111 || a.Video.PayloadType != 102 {
		t.Errorf("%+v", a)
	}
	if isVideo, isFound := a.Adopt(96); !isVideo || !isFound || a.Video.PayloadType != 96 || a.Others[0].PayloadType != 102 {
		t.Errorf("%+v", a)
	}
	if _, isFound := a.Adopt(8); isFound {
		t.Error("a format that the answer has not")
	}
}

func TestOffersAreTold(t *testing.T) {
	if IsOffer(crlf(goodAnswer)) || !IsOffer(crlf(strings.Replace(goodAnswer, "setup:passive", "setup:actpass", 1))) {
		t.Error("an offer leaves the DTLS role to the other side")
	}
}
