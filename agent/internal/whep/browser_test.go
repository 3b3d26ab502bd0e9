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

	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/secure"
	"fullhouse/agent/internal/witness"
)

const fixtures = "../../../tests/fixtures/chromium-whep/"

// chromium reads what a server saw of Chromium, and under which conditions.
func chromium(t *testing.T, name string) (witness.Facts, witness.Conditions) {
	t.Helper()
	data, err := os.ReadFile(fixtures + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Conditions []string `json:"conditions"`
		witness.Facts
	}
	if err := json.Unmarshal(data, &record); err != nil {
		t.Fatal(err)
	}
	conditions, err := witness.ParseConditions(strings.Join(record.Conditions, " "))
	if err != nil {
		t.Fatal(err)
	}
	return record.Facts, conditions
}

// playFor is long enough for the first bandwidth estimates, which a browser sends after 5.5 s.
const playFor = 9 * time.Second

// withholdEvery is more often than in the record, so that a machine that is busy at the wrong moments proves nothing.
const withholdEvery = 15

// seen is what a server sees of one of our viewers, and what the viewer saw.
func seen(realism Realism, conditions witness.Conditions) (facts witness.Facts, reading viewer.Reading, err error) {
	sample, err := media.LoadSample("../../../assets/lab", "sample-240p")
	if err != nil {
		return facts, reading, err
	}
	origin, err := witness.Open(sample, conditions)
	if err != nil {
		return facts, reading, err
	}
	defer origin.Close()
	loop, err := harvest.New()
	if err != nil {
		return facts, reading, err
	}
	defer loop.Close()
	certificate, err := secure.NewCertificate()
	if err != nil {
		return facts, reading, err
	}
	endpoint, err := url.Parse(origin.URL())
	if err != nil {
		return facts, reading, err
	}
	crowd := NewCrowd(Config{Endpoint: endpoint, StageTimeout: 20 * time.Second, Signaller: signalling.NewSignaller(), Loop: loop, Certificate: certificate,
		Realism: realism, DecryptPercent: DefaultDecryptPercent})
	v := crowd.New()
	if f := v.Connect(context.Background(), context.Background()); f != nil {
		return facts, reading, f
	}
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	pulsedAt := time.Now()
	for began := time.Now(); time.Since(began) < playFor; {
		now := <-ticker.C
		crowd.Tick(now)
		if now.Sub(pulsedAt) >= time.Second {
			pulsedAt = now
			if f := v.Pulse(now); f != nil {
				return facts, reading, f
			}
		}
	}
	reading = v.Read(time.Now())
	err = v.Leave(context.Background(), false)
	for waited := time.Duration(0); waited < 5*time.Second && len(origin.Facts()[0].End) < 2; waited += 20 * time.Millisecond {
		time.Sleep(20 * time.Millisecond) // a goodbye that never comes is a difference
	}
	return origin.Facts()[0], reading, err
}

// differing is a difference that we keep, by how it begins, and why.
type differing struct {
	begin string
	lean  bool // of a lean viewer
	full  bool // of a full one
	why   string
}

var kept = []differing{
	{"video codec: no VP8/", true, true, "of other video codecs we could count packets, but not tell frames and keyframes"},
	{"video codec: no VP9/", true, true, "as VP8"},
	{"video codec: no AV1/", true, true, "as VP8"},
	{"video codec: no rtx of VP", true, true, "repairs what is not offered"},
	{"video codec: no rtx of AV1", true, true, "repairs what is not offered"},
	{"video codec: no red/", true, true, "redundancy in the stream would need decryption to be counted; servers of H.264 do not send it"},
	{"video codec: no rtx of red", true, true, "as red"},
	{"video codec: no ulpfec", true, true, "as red"},
	{"video codec: no flexfec", true, true, "as red"},
	{"video codec: also H264/90000 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=640c1f", true, true, "browsers with more codecs than the recorded one offer high too, and cameras send it"},
	{"video codec: also rtx of H264/90000 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=640c1f", true, true, "as that"},
	{"audio codec: no ", true, true, "audio is counted as Opus with its clock; telephone tones, comfort noise and redundancy are of no use to a viewer"},
	{"video attribute: no rtcp-xr", true, true, "new in this Chromium, and answered by no server that was looked at; accepting it would mean to send extended reports"},
	{"audio attribute: no rtcp-xr", true, true, "as the video's"},
	{"video attribute: also end-of-candidates", true, true, "the one candidate is in the offer, and a server that trickles need not wait for more"},
	{"audio attribute: also end-of-candidates", true, true, "as the video's"},
	{"STUN: no request USERNAME 0xc057/4 ICE-CONTROLLING/8 PRIORITY/4", true, true, "a single pair is nominated at once, which saves a round trip; Chromium does so with servers that are not lite"},
	{"STUN: request USERNAME 0xc057/4 ICE-CONTROLLING/8 USE-CANDIDATE/0 PRIORITY/4 MESSAGE-INTEGRITY/20 FINGERPRINT/4 more ", true, true, "consent is asked for every 5 s as RFC 7675 has it, not every 2.7 s"},
	{"DTLS version: no ", true, true, "the library has DTLS 1.2 only, which all servers speak and Chromium falls back to"},
	{"DTLS extension: no 00", true, true, "those of DTLS 1.3"},
	{"DTLS suite: no 13", true, true, "those of DTLS 1.3"},
	{"DTLS suite: no ", true, true, "suites without forward secrecy, or that no server prefers"},
	{"DTLS suite: also c0", true, true, "the library's own, behind the one that is taken"},
	{"DTLS group: no ", true, true, "P-256 is what all servers take, and SRS refuses X25519 alone"},
	{"DTLS signature: ", true, true, "the library's own; the certificate is P-256 with SHA-256"},
	{"DTLS record fefd, version fefd", true, true, "the library writes the version of DTLS 1.2 into the first record too"},
	{"the ClientHello comes in 1 records", true, true, "without the long key share of a post-quantum group it fits"},
	{"SRTP profile: no 0008", true, true, "AES-256 would cost the server more for nothing; servers that know it know AES-128 too"},

	{"audio: setup:active", true, false, "being the DTLS client costs server and tester half; servers answer a browser passive as well"},
	{"video: setup:active", true, false, "as the audio's"},
	{"feedback of H264/", true, false, "no REMB, which servers without transport-wide feedback ask for five times a second"},
	{"RTCP: no RR(video)+REMB", true, false, "not offered"},
	{"RTCP: no RR(video)+NACK+REMB", true, false, "not offered"},
	{"RTCP: no RR(", true, false, "one report a second about all streams instead of one and a fifth about one each; and a request for repair beside an empty one, so that the regular ones tell of whole seconds"},
	{"RTCP: also RR(video,audio)", true, false, "as that"},
	{"RTCP: also RR(video,audio,rtx)", true, false, "as that"},
	{"RTCP: also RR()+NACK", true, false, "as that"},
	{"RTCP: report about audio more often", true, false, "as that"},
	{"RTCP: report about video more seldom", true, false, "Chromium's come with each REMB"},

	{"RTCP: no RR(video)+NACK+REMB", false, true, "an estimate and a request at the same moment are two packets"},
	{"RTCP: also RR()+PLI", true, true, "a frame that is lost for good asks for a keyframe at once; Chromium lets the stream stand until the next one for a while"},
	{"RTCP: also RR(video,audio,rtx)+PLI", true, false, "as that"},
	{"RTCP: also RR(video,audio)+PLI", true, false, "as that"},
}

// reason finds why a difference is kept.
func reason(difference string, realism Realism) *differing {
	for i := range kept {
		if d := &kept[i]; strings.HasPrefix(difference, d.begin) && (realism == Lean && d.lean || realism == Full && d.full) {
			return d
		}
	}
	return nil
}

// What a server sees of our viewers is what it sees of Chromium, except for the differences above: another one is an error.
func TestTheServerSeesWhatABrowserSends(t *testing.T) {
	var all sync.WaitGroup
	used := make(chan string, 1000)
	for name, realism := range map[string]Realism{"lean": Lean, "full": Full} {
		for _, record := range []string{"transport-cc", "no-transport-cc", "full-ice", "repair", "repair-without-rtx", "midway"} {
			browser, conditions := chromium(t, record)
			conditions.WithholdEvery = min(conditions.WithholdEvery, withholdEvery)
			all.Add(1)
			go func() {
				defer all.Done()
				facts, reading, err := seen(realism, conditions)
				if err != nil {
					t.Errorf("%s, %s: %v", name, record, err)
					return
				}
				for _, difference := range witness.Compare(browser, facts) {
					if why := reason(difference, realism); why != nil {
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
			t.Errorf("%q is no difference any more", d.begin)
		}
	}
}
