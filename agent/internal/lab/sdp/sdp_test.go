package sdp

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
)

const fingerprint = "0F:74:31:25:CB:A2:13:EC:28:6F:6D:2C:61:FF:5D:C2:BC:B9:DB:3D:98:14:8D:1A:BB:EA:33:0C:A4:60:A8:8E"

// offerOf makes an offer in Chromium's shape: transport in each section, many codecs.
func offerOf(video string) string {
	transport := "c=IN IP4 0.0.0.0\r\na=ice-ufrag:Ty4k\r\na=ice-pwd:a6hWyQGqFGQHhQVpA9e0WBnA\r\na=fingerprint:sha-256 " + fingerprint + "\r\na=setup:actpass\r\n"
	return "v=0\r\no=- 46117 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0 1 2\r\na=msid-semantic: WMS\r\n" +
		"m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9\r\n" + transport +
		"a=mid:0\r\na=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid\r\na=recvonly\r\na=rtcp-mux\r\na=rtpmap:111 opus/48000/2\r\na=rtcp-fb:111 transport-cc\r\n" +
		"m=video 9 UDP/TLS/RTP/SAVPF 96 102 108 127\r\n" + transport + "a=mid:1\r\na=recvonly\r\na=rtcp-mux\r\na=rtpmap:96 VP8/90000\r\n" + video +
		"m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n" + transport + "a=mid:2\r\na=sctp-port:5000\r\n"
}

const h264 = "a=rtpmap:102 H264/90000\r\na=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f\r\n" +
	"a=rtpmap:108 H264/90000\r\na=fmtp:108 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f\r\n" +
	"a=rtpmap:127 H264/90000\r\na=rtcp-fb:127 goog-remb\r\na=rtcp-fb:127 nack\r\na=rtcp-fb:127 nack pli\r\n" +
	"a=fmtp:127 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f\r\n"

func TestTheAnswerFitsChromiumsOffer(t *testing.T) {
	offer, err := ParseOffer(offerOf(h264), rtppayload.H264)
	if err != nil {
		t.Fatal(err)
	}
	if offer.Username != "Ty4k" || offer.Fingerprint != fingerprint {
		t.Errorf("offer %+v", offer)
	}
	answer := Answer{SessionID: 7, Username: "lite", Password: "secret", Fingerprint: "AA:BB", Media: netip.MustParseAddrPort("127.0.0.1:4567"),
		SSRC: [media.Kinds]uint32{11, 22}, StreamName: "cam", Cname: "lab"}.Text(offer)
	for _, line := range []string{"a=group:BUNDLE 0 1", "a=ice-lite", "m=audio 4567 UDP/TLS/RTP/SAVPF 111", "m=video 4567 UDP/TLS/RTP/SAVPF 127",
		"a=fmtp:127 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f", "a=rtcp-fb:127 nack pli", "a=mid:0", "a=mid:1",
		"a=setup:passive", "a=sendonly", "a=rtcp-mux", "a=fingerprint:sha-256 AA:BB", "a=ice-ufrag:lite", "a=ice-pwd:secret",
		"a=ssrc:11 cname:lab", "a=ssrc:22 cname:lab", "a=msid:cam video", "a=candidate:1 1 udp 2130706431 127.0.0.1 4567 typ host",
		"m=application 0 UDP/DTLS/SCTP webrtc-datachannel"} {
		if !strings.Contains(answer, line+"\r\n") {
			t.Errorf("the answer lacks %q:\n%s", line, answer)
		}
	}
	for _, part := range []string{"extmap", "goog-remb", "transport-cc", "VP8", "rtpmap:102"} {
		if strings.Contains(answer, part) {
			t.Errorf("the answer has %q:\n%s", part, answer)
		}
	}
}

const (
	repair    = "a=rtpmap:125 rtx/90000\r\na=fmtp:125 apt=127\r\na=rtpmap:99 rtx/90000\r\na=fmtp:99 apt=102\r\n"
	transport = "a=extmap:3/recvonly http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01\r\na=rtcp-fb:127 transport-cc\r\n"
)

func TestRTXAndTransportFeedbackAreAnsweredIfOffered(t *testing.T) {
	withRepair := strings.Replace(offerOf(h264+repair+transport), "127\r\n", "127 125 99\r\n", 1)
	answerTo := func(text string, transportCC bool) (*Offer, string) {
		offer, err := ParseOffer(text, rtppayload.H264)
		if err != nil {
			t.Fatal(err)
		}
		return offer, Answer{Media: netip.MustParseAddrPort("127.0.0.1:4567"), SSRC: [media.Kinds]uint32{11, 22}, RepairSSRC: 33,
			TransportCC: transportCC, Cname: "lab"}.Text(offer)
	}
	offer, answer := answerTo(withRepair, true)
	if video := offer.Sections[1]; video.RepairType != 125 || video.TransportExtension != 3 {
		t.Errorf("video %+v", video)
	}
	if offer.Sections[0].TransportExtension != 0 {
		t.Error("the audio has no such extension")
	}
	for _, line := range []string{"m=video 4567 UDP/TLS/RTP/SAVPF 127 125", "a=rtpmap:125 rtx/90000", "a=fmtp:125 apt=127", "a=ssrc-group:FID 11 33",
		"a=ssrc:33 cname:lab", "a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01", "a=rtcp-fb:127 transport-cc"} {
		if !strings.Contains(answer, line+"\r\n") {
			t.Errorf("the answer lacks %q:\n%s", line, answer)
		}
	}
	for name, text := range map[string]string{
		"no NACK":            strings.ReplaceAll(withRepair, "a=rtcp-fb:127 nack\r\n", ""),
		"of another format":  strings.ReplaceAll(withRepair, "apt=127", "apt=108"),
		"an odd extension":   strings.ReplaceAll(withRepair, "extmap:3/recvonly", "extmap:15"),
		"no feedback for it": strings.ReplaceAll(withRepair, " transport-cc", " x"),
	} {
		_, answer := answerTo(text, true)
		if strings.Contains(answer, "rtx") && strings.Contains(answer, "transport-cc") {
			t.Errorf("%s: it is in the answer:\n%s", name, answer)
		}
	}
	if _, answer := answerTo(withRepair, false); strings.Contains(answer, "extmap") || strings.Contains(answer, "transport-cc") {
		t.Errorf("unrequested feedback is in the answer:\n%s", answer)
	}
}

func TestTheOffersCodecsAreRemembered(t *testing.T) {
	offer, err := ParseOffer(offerOf(h264+repair), rtppayload.H264)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(offer.Codecs, " "); got != "opus/48000/2 VP8/90000 H264/90000 rtx/90000" {
		t.Errorf("codecs %q", got)
	}
}

func TestBaselineWithoutConstraintIsTheSecondChoice(t *testing.T) {
	offer, err := ParseOffer(offerOf(h264[:strings.Index(h264, "a=rtpmap:108")]), rtppayload.H264)
	if err != nil {
		t.Fatal(err)
	}
	if video := offer.Sections[1]; !video.Accepted || video.PayloadType != 102 {
		t.Errorf("video %+v", video)
	}
}

// minimal is a session description without media.
const minimal = "v=0\r\no=- 46117 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"

func TestOffersThatCantBeAnsweredHaveAReason(t *testing.T) {
	whole := offerOf(h264)
	noOpus := strings.ReplaceAll(whole, "opus/48000/2", "G722/8000")
	for name, c := range map[string]struct{ offer, wantText string }{
		"not SDP":        {"hello", "not a session description"},
		"empty":          {"", "not a session description"},
		"no media":       {minimal, "no media section"},
		"a broken m=":    {minimal + "m=audio 9 UDP/TLS/RTP/SAVPF\r\n", "has no format"},
		"no ICE":         {strings.ReplaceAll(whole, "a=ice-ufrag", "a=x"), "ice-ufrag"},
		"no fingerprint": {strings.ReplaceAll(whole, "sha-256", "sha-1"), "sha-256"},
		"passive":        {strings.ReplaceAll(whole, "actpass", "passive"), "setup:passive"},
		"not bundled":    {strings.ReplaceAll(whole, "a=group:BUNDLE 0 1 2\r\n", ""), "BUNDLE"},
	} {
		if _, err := ParseOffer(c.offer, rtppayload.H264); err == nil || !strings.Contains(err.Error(), c.wantText) || errors.Is(err, ErrNoCodec) {
			t.Errorf("%s: %v, want %q", name, err, c.wantText)
		}
	}
	for name, offer := range map[string]string{
		"neither codec":   strings.ReplaceAll(noOpus, "H264", "VP9"),
		"main profile":    strings.NewReplacer("42e01f", "4d001f", "42001f", "640032").Replace(noOpus),
		"no fragments":    strings.ReplaceAll(noOpus, "packetization-mode=1", "packetization-mode=0"),
		"sends":           strings.ReplaceAll(whole, "recvonly", "sendonly"),
		"RTCP on its own": strings.ReplaceAll(whole, "a=rtcp-mux\r\n", ""),
		"an odd number":   strings.NewReplacer("127", "300", "102", "-1", "111", "x").Replace(whole),
	} {
		if _, err := ParseOffer(offer, rtppayload.H264); !errors.Is(err, ErrNoCodec) {
			t.Errorf("%s: %v, want ErrNoCodec", name, err)
		}
	}
}

func FuzzParseOffer(f *testing.F) {
	f.Add(offerOf(h264))
	f.Add(offerOf(h264 + repair + transport))
	f.Add("v=0\r\nm=audio 9 X 1\r\na=ice-ufrag:\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if offer, err := ParseOffer(text, rtppayload.H264); err == nil {
			_ = Answer{Media: netip.MustParseAddrPort("127.0.0.1:1")}.Text(offer)
		}
	})
}
