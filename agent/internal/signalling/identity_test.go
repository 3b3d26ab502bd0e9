package signalling

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestEachViewerHasItsOwnHeaders(t *testing.T) {
	t.Parallel()
	all := &Identities{Tokens: []string{"a", "b"}, FirstNumber: 7,
		Headers: []HeaderTemplate{{"authorization", "Bearer {token}"}, {"X-Viewer", "n-{n}"}}}
	endpoint, _ := url.Parse("http://origin.test:80/whep")
	other, _ := url.Parse("http://other.test/whep")
	for _, want := range []http.Header{
		{"Authorization": {"Bearer a"}, "X-Viewer": {"n-7"}},
		{"Authorization": {"Bearer b"}, "X-Viewer": {"n-8"}},
	} {
		got := all.Next()
		for name := range want {
			if sent := got.HeaderFor(endpoint, &url.URL{Scheme: "http", Host: "origin.test"}).Get(name); sent != want.Get(name) {
				t.Errorf("%s: %q instead of %q", name, sent, want.Get(name))
			}
		}
		if got.Token != "" || got.HeaderFor(endpoint, other) != nil {
			t.Errorf("%+v has a bearer token as well, or is sent to another origin", got)
		}
	}
}

func TestServersWordsContainNoHeader(t *testing.T) {
	t.Parallel()
	as := Identity{Token: "token-1", Header: http.Header{"Authorization": {"Basic abcdef"}, "Cookie": {"session=xyz789"}, "X-Short": {"1"}}}
	if got := as.mask("no 1: token-1, abcdef, xyz789"); got != "no 1: (removed), (removed), (removed)" {
		t.Error(got)
	}
}

func TestALongTokenIsNotRepeatedInPart(t *testing.T) {
	token := strings.Repeat("secret", 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "invalid token: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
	}))
	t.Cleanup(s.Close)
	_, f := NewClient().Post(context.Background(), parse(t, s.URL), Identity{Token: token}, "offer")
	if f == nil || strings.Contains(f.Detail, "secret") || !strings.Contains(f.Detail, "(removed)") {
		t.Errorf("%v", f)
	}
}
