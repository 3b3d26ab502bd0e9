package whep

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/testing/recorder"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/dtlssrtp"
)

const fixtures = "../../../tests/fixtures/chromium-whep/"

// chromium reads what a server received from Chromium, and under which conditions.
func chromium(t *testing.T, name string) (recorder.Facts, recorder.Conditions) {
	t.Helper()
	data, err := os.ReadFile(fixtures + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Conditions []string `json:"conditions"`
		recorder.Facts
	}
	if err := json.Unmarshal(data, &record); err != nil {
		t.Fatal(err)
	}
	conditions, err := recorder.ParseConditions(strings.Join(record.Conditions, " "))
	if err != nil {
		t.Fatal(err)
	}
	return record.Facts, conditions
}

// playFor is long enough for the first bandwidth estimates, which a browser sends after 5.5 s.
const playFor = 9 * time.Second

// withholdEvery is more often than in the record, so that delays of a busy machine do not matter.
const withholdEvery = 15

// seen is what a server receives from one of our viewers, and what the viewer received.
func seen(fidelity Fidelity, conditions recorder.Conditions) (facts recorder.Facts, reading viewer.Reading, err error) {
	sample, err := media.LoadSample("../../../assets/lab", "sample-240p")
	if err != nil {
		return facts, reading, err
	}
	origin, err := recorder.Open(sample, conditions)
	if err != nil {
		return facts, reading, err
	}
	defer origin.Close()
	loop, err := udpreader.New()
	if err != nil {
		return facts, reading, err
	}
	defer loop.Close()
	certificate, err := dtlssrtp.NewCertificate()
	if err != nil {
		return facts, reading, err
	}
	endpoint, err := url.Parse(origin.URL())
	if err != nil {
		return facts, reading, err
	}
	group := NewGroup(Config{Endpoint: endpoint, StageTimeout: 20 * time.Second, Client: signalling.NewClient(), Loop: loop, Certificate: certificate,
		Fidelity: fidelity, DecryptPercent: protocol.AudienceStartDecryptPercentDefault})
	v := group.New()
	if f := v.Connect(context.Background(), context.Background()); f != nil {
		return facts, reading, f
	}
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	pulsedAt := time.Now()
	for startTime := time.Now(); time.Since(startTime) < playFor; {
		now := <-ticker.C
		group.Tick(now)
		if now.Sub(pulsedAt) >= time.Second {
			pulsedAt = now
			if f := v.Tick(now); f != nil {
				return facts, reading, f
			}
		}
	}
	reading = v.Read(time.Now())
	err = v.Disconnect(context.Background(), false)
	for waited := time.Duration(0); waited < 5*time.Second && len(origin.Facts()[0].End) < 2; waited += 20 * time.Millisecond {
		time.Sleep(20 * time.Millisecond) // a missing close_notify is a difference
	}
	return origin.Facts()[0], reading, err
}

// differing is an accepted difference: its prefix, and the reason.
type differing struct {
	begin     string
	mediaOnly bool // of a media-only viewer
	browser   bool // of one with browser fidelity
	why       string
}

var kept = []differing{
	{"video codec: no red/", true, true, "redundancy in the stream would need decryption to be counted"},
	{"video codec: no rtx of red", true, true, "as red"},
	{"video codec: no ulpfec", true, true, "as red"},
	{"video codec: also H265/", true, true, "browsers with a decoder for it offer H.265"},
	{"video codec: also rtx of H265/", true, true, "as that"},
	{"video codec: also H264/90000 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=640c1f", true, true, "browsers with more codecs than the recorded one also offer high, and cameras send it"},
	{"video codec: also rtx of H264/90000 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=640c1f", true, true, "as that"},
	{"audio codec: no ", true, true, "audio is counted as Opus with its clock; a viewer does not need DTMF, comfort noise and redundancy"},
	{"video attribute: no rtcp-xr", true, true, "new in this Chromium, and not supported by the tested servers; accepting it requires extended reports"},
	{"audio attribute: no rtcp-xr", true, true, "as the video's"},
	{"video attribute: also end-of-candidates", true, true, "the only candidate is in the offer, so a trickling server need not wait for more"},
	{"audio attribute: also end-of-candidates", true, true, "as the video's"},
	{"STUN: no request USERNAME 0xc057/4 ICE-CONTROLLING/8 PRIORITY/4", true, true, "a single pair is nominated at once, which saves a round trip; Chromium does that with full ICE servers"},
	{"STUN: request USERNAME 0xc057/4 ICE-CONTROLLING/8 USE-CANDIDATE/0 PRIORITY/4 MESSAGE-INTEGRITY/20 FINGERPRINT/4 more ", true, true, "consent is checked every 5 s as in RFC 7675, not every 2.7 s"},
	{"DTLS version: no ", true, true, "the library supports only DTLS 1.2, which all servers support and Chromium falls back to"},
	{"DTLS extension: no 00", true, true, "those of DTLS 1.3"},
	{"DTLS suite: no 13", true, true, "those of DTLS 1.3"},
	{"DTLS suite: no ", true, true, "suites without forward secrecy, or that no server prefers"},
	{"DTLS suite: also c0", true, true, "the library's own, after the selected one"},
	{"DTLS group: no ", true, true, "all servers accept P-256, and SRS refuses X25519 alone"},
	{"DTLS signature: ", true, true, "the library's own; the certificate is P-256 with SHA-256"},
	{"DTLS record fefd, version fefd", true, true, "the library writes the version of DTLS 1.2 into the first record too"},
	{"the ClientHello is in 1 records", true, true, "it fits without the long key share of a post-quantum group"},
	{"SRTP profile: no 0008", true, true, "AES-256 would only cost the server more; servers that support it support AES-128 too"},

	{"audio extension: also http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time", true, false, "for the delay since capture; browsers offer it if a page asks for it, and servers send it if the publisher does"},
	{"video extension: also http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time", true, false, "as the audio's"},
	{"audio: setup:active", true, false, "the DTLS client role costs server and tester half; servers also answer browsers with passive"},
	{"video: setup:active", true, false, "as the audio's"},
	{"feedback of ", true, false, "no REMB, which servers without transport-wide feedback request five times a second"},
	{"RTCP: no RR(video)+REMB", true, false, "not offered"},
	{"RTCP: no RR(video)+NACK+REMB", true, false, "not offered"},
	{"RTCP: no RR(", true, false, "one report a second about all streams instead of 1.2 about one each; repair requests go with an empty report, so that the regular ones cover full seconds"},
	{"RTCP: also RR(video,audio)", true, false, "as that"},
	{"RTCP: also RR(video,audio,rtx)", true, false, "as that"},
	{"RTCP: also RR()+NACK", true, false, "as that"},
	{"RTCP: report about audio more often", true, false, "as that"},
	{"RTCP: report about video less often", true, false, "Chromium's come with each REMB"},

	{"RTCP: no RR(video)+NACK+REMB", false, true, "an estimate and a request at the same time are two packets"},
	{"RTCP: also RR()+PLI", true, true, "a lost frame triggers a keyframe request at once; Chromium first waits some time for the next one"},
	{"RTCP: also RR(video,audio,rtx)+PLI", true, false, "as that"},
	{"RTCP: also RR(video,audio)+PLI", true, false, "as that"},
}

// reason finds why a difference is accepted.
func reason(difference string, fidelity Fidelity) *differing {
	for i := range kept {
		if d := &kept[i]; strings.HasPrefix(difference, d.begin) && (fidelity == MediaOnly && d.mediaOnly || fidelity == Browser && d.browser) {
			return d
		}
	}
	return nil
}

// What a server receives from our viewers is what it receives from Chromium, except for the differences above: any
// other one is an error.
func TestTheServerSeesWhatABrowserSends(t *testing.T) {
	var all sync.WaitGroup
	used := make(chan string, 1000)
	for name, fidelity := range map[string]Fidelity{"media-only": MediaOnly, "browser": Browser} {
		for _, record := range []string{"transport-cc", "no-transport-cc", "full-ice", "repair", "repair-without-rtx", "midway"} {
			browser, conditions := chromium(t, record)
			conditions.WithholdEvery = min(conditions.WithholdEvery, withholdEvery)
			all.Add(1)
			go func() {
				defer all.Done()
				facts, reading, err := seen(fidelity, conditions)
				if err != nil {
					t.Errorf("%s, %s: %v", name, record, err)
					return
				}
				for _, difference := range recorder.Compare(browser, facts) {
					if why := reason(difference, fidelity); why != nil {
						used <- why.begin
					} else {
						t.Errorf("%s, %s: %s", name, record, difference)
					}
				}
				if conditions.WithholdEvery > 0 && (reading.Repaired == 0 || reading.Lost+reading.Repaired > uint64(facts.Repair.Withheld)) {
					t.Errorf("%s, %s: %d repaired and %d lost, the origin withheld %+v", name, record, reading.Repaired, reading.Lost, *facts.Repair)
				}
				if reading.Damaged != 0 || reading.Packets == 0 {
					t.Errorf("%s, %s: %+v", name, record, reading)
				}
			}()
		}
	}
	all.Wait()
	close(used)
	seldom := map[string]bool{"RTCP: ": true, "STUN: r": true} // depends on chance
	count := map[string]int{}
	for begin := range used {
		count[begin]++
	}
	for _, d := range kept {
		if count[d.begin] == 0 && !seldom[d.begin[:6]] && !seldom[d.begin[:min(7, len(d.begin))]] {
			t.Errorf("%q is no longer a difference", d.begin)
		}
	}
}
