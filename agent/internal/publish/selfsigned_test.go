package publish

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fullhouse/agent/internal/protocol"
)

// TestPublishersAcceptASelfSignedServerIfConfigured: the server speaks HTTPS only, and refuses every offer.
func TestPublishersAcceptASelfSignedServerIfConfigured(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer s.Close()
	p, recorded := newPublications(t)
	host := strings.TrimPrefix(s.URL, "https://")
	for by, address := range map[protocol.PublishProtocol]string{
		protocol.PublishProtocolWHIP: "https://" + host + "/whip/cam", protocol.PublishProtocolRTMP: "rtmps://" + host + "/live/cam",
	} {
		for _, selfSigned := range []bool{false, true} {
			job := string(by)
			if selfSigned {
				job += "-trusted"
			}
			if _, err := p.Publish(protocol.AudiencePublishParams{Job: job, Protocol: by, URL: address, Sample: "sample-240p", SelfSigned: selfSigned}); err != nil {
				t.Fatal(err)
			}
			eventually(t, job+" has failed", func() bool { return recorded.last().Job == job })
			if message := recorded.last().Message; strings.Contains(message, "certificate") == selfSigned {
				t.Errorf("%s: %s", job, message)
			}
		}
	}
}

// TestPublishersLogInWhereRequired over WHIP.
func TestPublishersLogInWhereRequired(t *testing.T) {
	o := startLab(t)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "studio" || password != "secret" {
			w.Header().Set("WWW-Authenticate", "Basic realm=\"x\"")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		forward(t, w, r, "http://"+o.HTTP())
	}))
	defer front.Close()
	p, recorded := newPublications(t)
	params := protocol.AudiencePublishParams{Job: "without", Protocol: protocol.PublishProtocolWHIP, URL: front.URL + "/whip/cam", Sample: "sample-240p"}
	if _, err := p.Publish(params); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is refused", func() bool { return strings.Contains(recorded.last().Message, "user and httpPassword") })
	params.Job, params.Login = "with", &protocol.Login{User: "studio", Password: "secret"}
	if _, err := p.Publish(params); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab has the stream", func() bool { return strings.Contains(o.recorded.names(), "stream-published") })
	if _, err := p.End(protocol.AudienceUnpublishParams{Job: "with"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lab ended the stream", func() bool { return strings.Contains(o.recorded.names(), "stream-ended") })
	params.Protocol = protocol.PublishProtocolRTMP
	if _, err := p.Publish(params); err == nil {
		t.Error("a login over RTMP")
	}
}

// forward passes a request to the lab, as a proxy does.
func forward(t *testing.T, w http.ResponseWriter, r *http.Request, to string) {
	request, err := http.NewRequest(r.Method, to+r.URL.Path, r.Body)
	if err != nil {
		t.Error(err)
		return
	}
	request.Header = r.Header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, response.Body)
}
