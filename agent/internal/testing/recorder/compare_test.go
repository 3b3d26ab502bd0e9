package recorder

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

func recorded(t *testing.T, name string) Facts {
	t.Helper()
	data, err := os.ReadFile("../../../../tests/fixtures/chromium-whep/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var facts Facts
	if err := json.Unmarshal(data, &facts); err != nil {
		t.Fatal(err)
	}
	return facts
}

func TestDifferencesAreFound(t *testing.T) {
	for _, name := range []string{"transport-cc", "repair"} {
		if found := Compare(recorded(t, name), recorded(t, name)); len(found) != 0 {
			t.Errorf("%s differs from itself: %v", name, found)
		}
	}
	for _, test := range []struct {
		change func(*Facts)
		want   []string
	}{
		{func(f *Facts) { f.Offer.Attributes = f.Offer.Attributes[1:] }, []string{"session attribute: no group BUNDLE 0 1"}},
		{func(f *Facts) { f.Offer.Sections[1].Setup = "active" }, []string{"audio: setup:active"}},
		{func(f *Facts) { f.Offer.Sections[1].Extensions[0] = "urn:x" }, []string{"audio extension: no urn:ietf:params:rtp-hdrext:ssrc-audio-level", "audio extension: also urn:x"}},
		{func(f *Facts) { f.Offer.Sections[1].Codecs[0].Feedback = nil }, []string{"feedback of opus/48000/2 minptime=10;useinbandfec=1: no transport-cc"}},
		{func(f *Facts) { f.STUN[1].Kind = "request" }, []string{"STUN: no " + recorded(t, "transport-cc").STUN[1].Kind, "STUN: also request"}},
		{func(f *Facts) { f.RTCP = append(f.RTCP, Seen{Kind: "XR"}) }, []string{"RTCP: also XR"}},
		{func(f *Facts) { f.RTCP[0].Kind += "+REMB" }, []string{"RTCP: also TWCC+REMB"}},
		{func(f *Facts) { f.RTCP[0].Count /= 10 }, []string{"RTCP: TWCC less often"}},
		{func(f *Facts) { f.RTCP[0].Count *= 10 }, []string{"RTCP: TWCC more often"}},
		{func(f *Facts) { f.ClientHello.SRTPProfiles = f.ClientHello.SRTPProfiles[:2] }, []string{"SRTP profile: no 0007"}},
		{func(f *Facts) { f.ClientHello = nil }, []string{"one of them is the DTLS server"}},
		{func(f *Facts) { f.CanonicalName = 16 }, []string{"canonical name of 16 characters"}},
		{func(f *Facts) { f.End = f.End[:1] }, []string{"the end is DELETE"}},
	} {
		changed := recorded(t, "transport-cc")
		test.change(&changed)
		if found := Compare(recorded(t, "transport-cc"), changed); !slices.Equal(found, test.want) {
			t.Errorf("%v, want %v", found, test.want)
		}
	}
	late := recorded(t, "repair")
	late.Repair.RetryMs = 20
	late.Repair.AskedOnce = 0
	if found := Compare(recorded(t, "repair"), late); len(found) != 2 {
		t.Errorf("%v", found)
	}
}
