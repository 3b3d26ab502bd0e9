package whip

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/media"
)

// patience bounds every wait of these tests; a busy machine needs a small part of it.
const patience = 20 * time.Second

type nowhere struct{}

func (nowhere) Push(media.Kind, uint16, uint32, bool, []byte) {}
func (nowhere) Refer(media.Kind, time.Time, uint32)           {}

// offerOf is a real offer that sends the codecs, each in a media section of its own.
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
		name, offer, says string
		isNoCodec         bool
	}{
		{"nothing", "", "the offer can't be used", false},
		{"no SDP at all", "<html>moved</html>", "the offer can't be used", false},
		{"cut off in a line", good[:len(good)/3] + "\r\nm=video", "the offer can't be used", false},
		{"no fingerprint", withoutLines("a=fingerprint"), "the offer can't be used", false},
		{"no ICE user name", withoutLines("a=ice-ufrag"), "the offer can't be used", false},
		{"codecs that the lab does not pass on", offerOf(t, webrtc.MimeTypeVP8), "H.264", true},
		{"a publisher that wants to watch", strings.ReplaceAll(good, "a=sendonly", "a=recvonly"), "H.264", true},
		{"no media", offerOf(t), "the offer can't be used", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ended := make(chan string, 1)
			publisher, answer, err := publishers.Publish(c.offer, nowhere{}, func() {}, func(reason string) { ended <- reason })
			if err == nil {
				t.Fatalf("it was answered:\n%s", answer)
			}
			if publisher != nil || answer != "" {
				t.Errorf("a refusal gave a publisher or an answer: %v %q", publisher, answer)
			}
			if !strings.Contains(err.Error(), c.says) || errors.Is(err, ErrNoCodec) != c.isNoCodec {
				t.Errorf("the refusal says: %v", err)
			}
			// Who was refused never began. The end would be told by the time that the connection is closed, or soon after.
			select {
			case reason := <-ended:
				t.Errorf("it told an end: %s", reason)
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
	publisher, answer, err := publishers.Publish(offerOf(t, webrtc.MimeTypeH264, webrtc.MimeTypeOpus), nowhere{},
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
			t.Errorf("a candidate beyond this machine: %s", line)
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
	case <-time.After(patience):
		t.Fatal("Close does not return")
	}
	// Who closes knows that it ends.
	if len(ended) > 0 {
		t.Errorf("it told its own end: %s", <-ended)
	}
}
