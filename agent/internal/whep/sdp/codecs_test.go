package sdp

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fullhouse/agent/internal/media/rtppayload"
)

// codecsOf are the codecs of an offer's video, in the order of its payload types.
func codecsOf(offer string) (codecs []string) {
	_, video, _ := strings.Cut(offer, "m=video 9000 UDP/TLS/RTP/SAVPF ")
	formats, _, _ := strings.Cut(video, "\r\n")
	for _, format := range strings.Fields(formats) {
		_, name, _ := strings.Cut(video, "a=rtpmap:"+format+" ")
		name, _, _ = strings.Cut(name, "/")
		if name != "rtx" && !slices.Contains(codecs, name) {
			codecs = append(codecs, name)
		}
	}
	return codecs
}

func TestCodecsAreOfferedInTheOrderOfABrowser(t *testing.T) {
	offer := Offer{Candidate: netip.MustParseAddrPort("127.0.0.1:9000")}
	if got := codecsOf(offer.String()); !slices.Equal(got, []string{"VP8", "VP9", "H264", "AV1", "H265", "flexfec-03"}) {
		t.Errorf("%v", got)
	}
	offer.Codecs = []rtppayload.Codec{rtppayload.H264, rtppayload.VP9}
	if got := codecsOf(offer.String()); !slices.Equal(got, []string{"VP9", "H264", "flexfec-03"}) {
		t.Errorf("two codecs: %v", got)
	}
}

func TestPayloadTypesAreUsedOnce(t *testing.T) {
	used := map[int]bool{opusPayloadType: true, fecPayloadType: true}
	for _, one := range videoFormats {
		for _, number := range []int{one.payloadType, one.rtx} {
			if used[number] || number < 35 || number > 127 || number >= 64 && number < 96 { // RFC 5761 4: RTCP
				t.Errorf("%d of %s", number, one.codec)
			}
			used[number] = true
		}
	}
}

func TestAnswersOfEveryCodec(t *testing.T) {
	for _, one := range videoFormats {
		body := strings.ReplaceAll(goodAnswer, "102", fmt.Sprint(one.payloadType))
		body = strings.ReplaceAll(body, "H264/90000", strings.ToLower(one.codec.String())+"/90000")
		a, f := ParseAnswer(crlf(body), Expected{})
		if f != nil || a.Video.Codec != one.codec || a.Video.PayloadType != uint8(one.payloadType) || !a.Video.NACK || a.FEC != 0 {
			t.Errorf("%s: %+v, %v", one.codec, a.Video, f)
		}
	}
}

func TestErrorCorrectionOfAnAnswer(t *testing.T) {
	body := strings.Replace(goodAnswer, "a=rtpmap:102", "a=rtpmap:49 flexfec-03/90000\na=rtpmap:102", 1)
	if a, f := ParseAnswer(crlf(body), Expected{}); f != nil || a.FEC != 49 || a.Video.Codec != rtppayload.H264 {
		t.Errorf("%+v, %v", a, f)
	}
}
