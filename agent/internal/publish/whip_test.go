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

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep/dtlssrtp"
)

const samples = "../../../assets/lab"

// origin is the lab, and its events.
type origin struct {
	*lab.Lab
	recorded events
}

func startLab(t *testing.T) *origin {
	t.Helper()
	o := &origin{}
	var err error
	o.Lab, err = lab.Start(lab.Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Samples: samples, Event: o.recorded.add, Log: log.New(io.Discard, "", 0)})
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
func (o *origin) stream(t *testing.T) protocol.LabStream {
	t.Helper()
	result, err := o.Call(context.Background(), "lab.streams", nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Streams []protocol.LabStream `json:"streams"`
	}
	if err := json.Unmarshal(raw, &recorded); err != nil || len(recorded.Streams) == 0 {
		return protocol.LabStream{}
	}
	return recorded.Streams[0]
}

func newPublications(t *testing.T) (*Publications, *events) {
	t.Helper()
	var recorded events
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := dtlssrtp.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{Samples: samples, Event: recorded.add, Loop: loop, Certificate: certificate})
	t.Cleanup(func() { p.Close(); _ = loop.Close() })
	return p, &recorded
}

func (p *Publications) first() protocol.AgentPublication {
	views := p.Sample(time.Second)
	if len(views) == 0 {
		return protocol.AgentPublication{}
	}
	return views[0]
}

func TestTheLabAcceptsTheSampleOverWHIP(t *testing.T) {
	o := startLab(t)
	p, recorded := newPublications(t)
	result, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: "whip",
		URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"})
	if err != nil || len(result.Warnings) != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	eventually(t, "the lab has the stream", func() bool { return strings.Contains(o.recorded.names(), "stream-published") })
	eventually(t, "its figures are those of the sample", func() bool {
		time.Sleep(500 * time.Millisecond)
		o.Sample(protocol.ProcessSample{}, 500*time.Millisecond)
		s, v := o.stream(t), p.first()
		return s.Source == "whip" && s.VideoCodec == "H264" && s.AudioCodec == "opus" && s.Width == 426 && s.Height == 240 && s.FPS >= 20 &&
			v.State == protocol.PublicationLive && v.BitrateKbps > 20 && v.FPS > 5
	})
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: "whip",
		URL: "http://" + o.HTTP() + "/whip/cam2", Sample: "sample-240p"}); err == nil ||
		err.(*control.Error).Code != "duplicate-job" {
		t.Errorf("%v", err)
	}
	// A second publisher of the stream is refused, and the first continues.
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "second", Protocol: "whip",
		URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second is refused", func() bool { return strings.Contains(recorded.last().Message, "in use already") })
	if event := recorded.last(); event.Name != "job-ended" || event.Job != "second" {
		t.Errorf("%+v", event)
	}
	if _, err := p.End(protocol.AudienceUnpublishParams{Job: "studio"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab ended the stream", func() bool { return strings.Contains(o.recorded.names(), "stream-ended") })
	eventually(t, "nothing is published", func() bool { return p.Remaining() == 0 })
	if event := o.recorded.last(); !strings.Contains(event.Message, "its publisher ended it") {
		t.Errorf("the session was not closed properly: %+v", event)
	}
}

// TestPublishingResumesAfterTheServerEndedTheStream ends the stream at the lab.
func TestPublishingResumesAfterTheServerEndedTheStream(t *testing.T) {
	o := startLab(t)
	p, recorded := newPublications(t)
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: "whip",
		URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"}); err != nil {
		t.Fatal(err)
	}
	published := func(times int) func() bool {
		return func() bool { return strings.Count(o.recorded.names(), "stream-published") == times }
	}
	eventually(t, "the lab has the stream", published(1))
	if _, err := o.Call(context.Background(), "lab.unpublish", json.RawMessage(`{"stream":"cam"}`)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab has it again", published(2))
	if names := recorded.names(); names != "publication-lost publication-live" {
		t.Errorf("%s", names)
	}
}

// TestKeyframesOnRequestKeepTheClock reads the sample's packets as a server would.
func TestKeyframesOnRequestKeepTheClock(t *testing.T) {
	o := startLab(t)
	p, _ := newPublications(t)
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: "whip",
		URL: "http://" + o.HTTP() + "/whip/cam", Sample: "sample-240p"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab has the stream", func() bool { return strings.Contains(o.recorded.names(), "stream-published") })
	eventually(t, "the media clock is reported", func() bool { return p.first().MediaClock != nil })
	before, reported := *p.first().MediaClock, monotonic.Now().UnixMilli()
	if played := reported - before.StartMs; before.DurationMs != 12_000 || played < 0 || played > 30_000 || before.SinceMs > reported || before.SinceMs < reported-30_000 {
		t.Errorf("%+v at %d", before, reported)
	}
	watcher := watch(t, "http://"+o.HTTP()+"/whep/cam")
	// The sample has a keyframe every 2 s; requested ones are closer together.
	eventually(t, "keyframes on request", func() bool { return watcher.keyframesCloserThan(1500*time.Millisecond) >= 2 })
	if jump := watcher.longestGap(); jump > 45*time.Millisecond || watcher.lost() > 0 {
		t.Errorf("the longest step between pictures is %s, %d packets missing", jump, watcher.lost())
	}
	// Each jumped to another time of the sample.
	after := *p.first().MediaClock
	if moved := (after.StartMs - before.StartMs) % 12_000; after.SinceMs <= before.SinceMs || after.SinceMs < reported || moved == 0 {
		t.Errorf("%+v, before that %+v", after, before)
	}
}

func TestAServerThatRefusesTheStreamIsOneSentence(t *testing.T) {
	answers := func(status int, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer secret" {
				t.Errorf("the token was not received: %q", r.Header.Get("Authorization"))
			}
			w.Header().Set("Location", "/session")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return server.URL + "/whip/cam?key=private"
	}
	closedPort, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closedPort.Close() // the port is closed now
	for word, address := range map[string]string{
		"credentials": answers(401, "who are you"), "in use already": answers(409, "cam is on"), "no WHIP endpoint": answers(404, "no"),
		"is invalid": answers(201, "no SDP"), "refused": "http://" + closedPort.Addr().String() + "/whip/cam?key=private",
	} {
		p, recorded := newPublications(t)
		if _, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: "whip", URL: address,
			Sample: "sample-240p", BearerToken: "secret"}); err != nil {
			t.Fatal(err)
		}
		eventually(t, word, func() bool { return recorded.names() != "" })
		v := p.first()
		if v.State != protocol.PublicationFailed || !strings.Contains(v.Problem, word) ||
			!strings.Contains(recorded.last().Message, word) {
			t.Errorf("%s: %+v, %+v", word, v, recorded.last())
		}
		for _, secret := range []string{"secret", "private", "\n"} {
			if strings.Contains(v.Problem, secret) {
				t.Errorf("%q contains %q", v.Problem, secret)
			}
		}
	}
}

func TestInvalidPublicationsAreRefused(t *testing.T) {
	p, _ := newPublications(t)
	good := protocol.AudiencePublishParams{Job: "a", Protocol: "whip", URL: "http://127.0.0.1:1/whip/cam",
		Sample: "sample-240p"}
	for code, change := range map[string]func(*protocol.AudiencePublishParams){
		"1 bad-request": func(p *protocol.AudiencePublishParams) { p.Job = "" }, "2 bad-request": func(p *protocol.AudiencePublishParams) { p.Protocol = "srt" },
		"3 bad-request": func(p *protocol.AudiencePublishParams) { p.URL = "rtmp://host/live/cam" }, "4 bad-request": func(p *protocol.AudiencePublishParams) { p.Sample = "../x" },
		"5 no-sample":   func(p *protocol.AudiencePublishParams) { p.Sample = "sample-8k" },
		"6 bad-request": func(p *protocol.AudiencePublishParams) { p.Protocol = "rtmp" },
		"7 bad-request": func(p *protocol.AudiencePublishParams) {
			p.Protocol, p.URL, p.BearerToken = "rtmp", "rtmp://host/live/cam", "x"
		},
		"8 no-sample": func(p *protocol.AudiencePublishParams) {
			p.Protocol, p.URL, p.Sample = "rtmp", "rtmp://host/live/cam", "sample-8k"
		},
	} {
		params := good
		change(&params)
		if _, err := p.Publish(params); err == nil || err.(*control.Error).Code != code[2:] {
			t.Errorf("%s: %v", code, err)
		}
	}
	if _, err := New(Config{}).Publish(good); err == nil || err.(*control.Error).Code != "no-sample" {
		t.Errorf("%v", err)
	}
	if _, err := p.End(protocol.AudienceUnpublishParams{Job: "nobody"}); err == nil ||
		err.(*control.Error).Code != "no-job" {
		t.Errorf("%v", err)
	}
	p.Close()
	if _, err := p.Publish(good); err == nil || err.(*control.Error).Code != "shutting-down" {
		t.Errorf("%v", err)
	}
}
