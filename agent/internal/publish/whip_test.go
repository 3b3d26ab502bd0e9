package publish

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
)

const samples = "../../../assets/lab"

// origin is the lab, and what it told.
type origin struct {
	*lab.Lab
	told events
}

func startLab(t *testing.T) *origin {
	t.Helper()
	o := &origin{}
	var err error
	o.Lab, err = lab.Start(lab.Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Samples: samples, Event: o.told.add, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// stream is the first stream as the lab measures it.
func (o *origin) stream(t *testing.T) lab.StreamFigures {
	t.Helper()
	result, err := o.Call(context.Background(), "lab.streams", nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Streams []lab.StreamFigures `json:"streams"`
	}
	if err := json.Unmarshal(raw, &told); err != nil || len(told.Streams) == 0 {
		return lab.StreamFigures{}
	}
	return told.Streams[0]
}

func newPublications(t *testing.T) (*Publications, *events) {
	t.Helper()
	var told events
	p := New(samples, told.add)
	t.Cleanup(p.Close)
	return p, &told
}

func (p *Publications) first() View {
	views := p.Sample(time.Second)
	if len(views) == 0 {
		return View{}
	}
	return views[0]
}

func TestTheLabTakesTheSampleByWHIP(t *testing.T) {
	o := startLab(t)
	p, told := newPublications(t)
	result, err := p.Publish(Params{Job: "studio", Protocol: "whip", URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"})
	if err != nil || len(result.Warnings) != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	eventually(t, "the lab has the stream", func() bool { return strings.Contains(o.told.names(), "stream-published") })
	eventually(t, "its figures are those of the sample", func() bool {
		time.Sleep(500 * time.Millisecond)
		o.Sample(process.Sample{}, 500*time.Millisecond)
		s, v := o.stream(t), p.first()
		return s.Source == "whip" && s.VideoCodec == "H264" && s.AudioCodec == "opus" && s.Width == 426 && s.Height == 240 && s.FPS >= 20 &&
			v.State == Live && v.BitrateKbps > 20 && v.FPS > 5
	})
	if _, err := p.Publish(Params{Job: "studio", Protocol: "whip", URL: "http://" + o.HTTP() + "/whip/cam2", Sample: "sample-240p"}); err == nil || err.(*link.Error).Code != "duplicate-job" {
		t.Errorf("%v", err)
	}
	// The same stream twice: the second is told why not, and the first plays on.
	if _, err := p.Publish(Params{Job: "second", Protocol: "whip", URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second is refused", func() bool { return strings.Contains(told.last().Message, "taken already") })
	if event := told.last(); event.Name != "job-ended" || event.Job != "second" {
		t.Errorf("%+v", event)
	}
	if _, err := p.End(EndParams{Job: "studio"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab lets the stream go", func() bool { return strings.Contains(o.told.names(), "stream-ended") })
	eventually(t, "nothing is published any more", func() bool { return p.Left() == 0 })
	if event := o.told.last(); !strings.Contains(event.Message, "its publisher has ended it") {
		t.Errorf("the lab was not told properly: %+v", event)
	}
}

// TestAServerThatEndsTheStreamIsPublishedToAgain takes the stream away at the lab.
func TestAServerThatEndsTheStreamIsPublishedToAgain(t *testing.T) {
	o := startLab(t)
	p, told := newPublications(t)
	if _, err := p.Publish(Params{Job: "studio", Protocol: "whip", URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"}); err != nil {
		t.Fatal(err)
	}
	published := func(times int) func() bool {
		return func() bool { return strings.Count(o.told.names(), "stream-published") == times }
	}
	eventually(t, "the lab has the stream", published(1))
	if _, err := o.Call(context.Background(), "lab.unpublish", json.RawMessage(`{"stream":"cam"}`)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab has it again", published(2))
	if names := told.names(); names != "publication-lost publication-live" {
		t.Errorf("%s", names)
	}
}

// TestAKeyframeComesWhenItIsWantedAndTheClockGoesOn reads the sample's packets as a server would.
func TestAKeyframeComesWhenItIsWantedAndTheClockGoesOn(t *testing.T) {
	o := startLab(t)
	p, _ := newPublications(t)
	if _, err := p.Publish(Params{Job: "studio", Protocol: "whip", URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab has the stream", func() bool { return strings.Contains(o.told.names(), "stream-published") })
	watcher := watch(t, "http://"+o.HTTP()+"/whep/cam")
	// The sample has a keyframe every 2 s. Whoever wants them comes as often as they are granted.
	eventually(t, "keyframes on request", func() bool { return watcher.keyframesCloserThan(1500*time.Millisecond) >= 2 })
	if jump := watcher.longestStep(); jump > 45*time.Millisecond || watcher.lost() > 0 {
		t.Errorf("the longest step between pictures is %s, %d packets are missing", jump, watcher.lost())
	}
}

func TestAServerThatDoesNotTakeTheStreamIsOneSentence(t *testing.T) {
	answers := func(status int, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer secret" {
				t.Errorf("the token did not come: %q", r.Header.Get("Authorization"))
			}
			w.Header().Set("Location", "/session")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return server.URL + "/whip/cam?key=private"
	}
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close() // nobody listens there now
	for word, address := range map[string]string{
		"credentials": answers(401, "who are you"), "taken already": answers(409, "cam is on"), "no such WHIP address": answers(404, "no"),
		"can't be used": answers(201, "no SDP"), "refused": "http://" + nobody.Addr().String() + "/whip/cam?key=private",
	} {
		p, told := newPublications(t)
		if _, err := p.Publish(Params{Job: "studio", Protocol: "whip", URL: address, Sample: "sample-240p", BearerToken: "secret"}); err != nil {
			t.Fatal(err)
		}
		eventually(t, word, func() bool { return told.names() != "" })
		v := p.first()
		if v.State != Failed || !strings.Contains(v.Problem, word) || !strings.Contains(told.last().Message, word) {
			t.Errorf("%s: %+v, %+v", word, v, told.last())
		}
		for _, secret := range []string{"secret", "private", "\n"} {
			if strings.Contains(v.Problem, secret) {
				t.Errorf("%q holds %q", v.Problem, secret)
			}
		}
	}
}

func TestWhatCantBePublishedIsRefused(t *testing.T) {
	p, _ := newPublications(t)
	good := Params{Job: "a", Protocol: "whip", URL: "http://127.0.0.1:1/whip/cam", Sample: "sample-240p"}
	for code, change := range map[string]func(*Params){
		"1 bad-request": func(p *Params) { p.Job = "" }, "2 bad-request": func(p *Params) { p.Protocol = "srt" },
		"3 bad-request": func(p *Params) { p.URL = "rtmp://host/live/cam" }, "4 bad-request": func(p *Params) { p.Sample = "../x" },
		"5 no-sample":   func(p *Params) { p.Sample = "sample-8k" },
		"6 bad-request": func(p *Params) { p.Protocol = "rtmp" },
		"7 bad-request": func(p *Params) { p.Protocol, p.URL, p.BearerToken = "rtmp", "rtmp://host/live/cam", "x" },
		"8 no-sample":   func(p *Params) { p.Protocol, p.URL, p.Sample = "rtmp", "rtmp://host/live/cam", "sample-8k" },
	} {
		params := good
		change(&params)
		if _, err := p.Publish(params); err == nil || err.(*link.Error).Code != code[2:] {
			t.Errorf("%s: %v", code, err)
		}
	}
	if _, err := New("", func(link.Event) {}).Publish(good); err == nil || err.(*link.Error).Code != "no-sample" {
		t.Errorf("%v", err)
	}
	if _, err := p.End(EndParams{Job: "nobody"}); err == nil || err.(*link.Error).Code != "no-job" {
		t.Errorf("%v", err)
	}
	p.Close()
	if _, err := p.Publish(good); err == nil || err.(*link.Error).Code != "shutting-down" {
		t.Errorf("%v", err)
	}
}
