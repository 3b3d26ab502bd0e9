package whip

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
)

// timeout bounds every wait of these tests; a busy machine needs a small part of it.
const timeout = 20 * time.Second

type discardSink struct{}

func (discardSink) SetCodec(rtppayload.Codec)                     {}
func (discardSink) Push(media.Kind, uint16, uint32, bool, []byte) {}
func (discardSink) SetClockReference(media.Kind, int64, uint32)   {}

// offerOf is a real offer that sends the codecs, each in its own media section.
func offerOf(t *testing.T, mimes ...string) string {
	t.Helper()
	engine := &webrtc.MediaEngine{}
	if err := engine.RegisterDefaultCodecs(); err != nil {
		t.Fatal(err)
	}
	connection, err := webrtc.NewAPI(webrtc.WithMediaEngine(engine)).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := connection.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, mime := range mimes {
		track, err := webrtc.NewTrackLocalStaticRTP(webrtc.RTPCodecCapability{MimeType: mime}, mime, "studio")
		if err != nil {
			t.Fatal(err)
		}
		transceiver, err := connection.AddTransceiverFromTrack(track, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly})
		if err != nil {
			t.Fatal(err)
		}
		var only []webrtc.RTPCodecParameters
		for _, codec := range transceiver.Sender().GetParameters().Codecs {
			if strings.EqualFold(codec.MimeType, mime) {
				only = append(only, codec)
			}
		}
		if err := transceiver.SetCodecPreferences(only); err != nil {
			t.Fatal(err)
		}
	}
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		t.Fatal(err)
	}
	return offer.SDP
}

func TestOffersThatAreRefused(t *testing.T) {
	publishers, err := New(netip.MustParseAddr("127.0.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	good := offerOf(t, webrtc.MimeTypeH264, webrtc.MimeTypeOpus)
	withoutLines := func(prefix string) string {
		var kept []string
		for _, line := range strings.Split(good, "\r\n") {
			if !strings.HasPrefix(line, prefix) {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "\r\n")
	}
	cases := []struct {
		name, offer, wantText string
		isNoCodec             bool
	}{
		{"nothing", "", "invalid offer", false},
		{"no SDP at all", "<html>moved</html>", "invalid offer", false},
		{"cut off in a line", good[:len(good)/3] + "\r\nm=video", "invalid offer", false},
		{"no fingerprint", withoutLines("a=fingerprint"), "invalid offer", false},
		{"no ICE user name", withoutLines("a=ice-ufrag"), "invalid offer", false},
		{"unsupported codecs", strings.ReplaceAll(offerOf(t, webrtc.MimeTypeVP8), "VP8/90000", "H261/90000"), "H.264", true},
		{"a publisher that receives", strings.ReplaceAll(good, "a=sendonly", "a=recvonly"), "H.264", true},
		{"no media", offerOf(t), "invalid offer", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ended := make(chan string, 1)
			publisher, answer, err := publishers.Publish(c.offer, discardSink{}, func() {}, func(reason string) { ended <- reason })
			if err == nil {
				t.Fatalf("the offer was accepted:\n%s", answer)
			}
			if publisher != nil || answer != "" {
				t.Errorf("a refusal returned a publisher or an answer: %v %q", publisher, answer)
			}
			if !strings.Contains(err.Error(), c.wantText) || errors.Is(err, ErrNoCodec) != c.isNoCodec {
				t.Errorf("the refusal is: %v", err)
			}
			// A refused publisher never started. Its end would be reported when the connection is closed, or soon
			// after.
			select {
			case reason := <-ended:
				t.Errorf("an end was reported: %s", reason)
			case <-time.After(50 * time.Millisecond):
			}
		})
	}
}

func TestAnOfferIsAnsweredOnLoopbackOnly(t *testing.T) {
	publishers, err := New(netip.MustParseAddr("127.0.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 1)
	publisher, answer, err := publishers.Publish(offerOf(t, webrtc.MimeTypeH264, webrtc.MimeTypeOpus), discardSink{},
		func() { t.Error("there was media") }, func(reason string) { ended <- reason })
	if err != nil {
		t.Fatal(err)
	}
	candidates := 0
	for _, line := range strings.Split(answer, "\r\n") {
		if !strings.HasPrefix(line, "a=candidate:") {
			continue
		}
		candidates++
		if fields := strings.Fields(line); len(fields) < 6 || !strings.HasPrefix(fields[4], "127.") {
			t.Errorf("a candidate of another machine: %s", line)
		}
	}
	if candidates == 0 || strings.Count(answer, "a=recvonly") != 2 {
		t.Errorf("the answer is\n%s", answer)
	}
	closed := make(chan error, 1)
	go func() { closed <- publisher.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(timeout):
		t.Fatal("Close does not return")
	}
	// The caller of Close needs no report.
	if len(ended) > 0 {
		t.Errorf("Close was reported as an end: %s", <-ended)
	}
}
