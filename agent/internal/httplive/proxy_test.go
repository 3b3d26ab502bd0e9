package httplive

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/testing/httpproxy"
)

func TestStreamsOverHTTPGoThroughTheProxy(t *testing.T) {
	wire := flvStream()
	plain := httptest.NewServer(live(t, "video/x-flv", wire))
	t.Cleanup(plain.Close)
	secure := httptest.NewTLSServer(live(t, "video/x-flv", wire))
	t.Cleanup(secure.Close)
	overWebSocket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if connection, err := websocket.Accept(w, r, nil); err == nil {
			_ = connection.Write(r.Context(), websocket.MessageBinary, wire)
			_, _, _ = connection.Read(r.Context())
		}
	}))
	t.Cleanup(overWebSocket.Close)
	via := httpproxy.Start(t, "qa:secret", 0)
	through := func(c *Config) {
		c.Client.SelfSigned, c.Client.Proxies = true, proxy.New(via.URL)
		c.TLS = c.Client.TLS()
	}
	var want []string
	for _, address := range []string{plain.URL, secure.URL, strings.Replace(overWebSocket.URL, "http", "ws", 1)} {
		named := httpproxy.Named(address)
		if _, f := join(t, named+"/live.flv", FLV, through); f != nil {
			t.Fatalf("%s: %v", address, f)
		}
		if _, host, _ := strings.Cut(named, "://"); address == plain.URL {
			want = append(want, "GET "+named+"/live.flv")
		} else {
			want = append(want, "CONNECT "+host)
		}
	}
	if seen := via.Seen(); !slices.Equal(seen, want) {
		t.Errorf("the proxy has seen %q, want %q", seen, want)
	}
	_, f := join(t, httpproxy.Named(plain.URL), FLV, func(c *Config) {
		c.Client.Proxies = proxy.New(strings.Replace(via.URL, "secret", "wrong", 1))
	})
	if f == nil || !strings.HasPrefix(f.Detail, "The proxy "+via.Host+" (the setting proxy of the node) refused "+httpproxy.Named(plain.URL)) {
		t.Errorf("without the login: %v", f)
	}
}
