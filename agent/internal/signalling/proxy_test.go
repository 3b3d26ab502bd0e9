package signalling

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/testing/httpproxy"
)

// behind starts a server, and a client of a proxy that requires a login.
func behind(t *testing.T, secure bool, handler http.HandlerFunc) (*Client, *httpproxy.Proxy, *url.URL) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	if secure {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	via := httpproxy.Start(t, "qa:p@ss w", 0)
	client := NewClient()
	client.SelfSigned, client.Proxies = true, proxy.New(via.URL)
	target, err := url.Parse(httpproxy.Named(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	return client, via, target
}

func inTime(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestSignallingGoesThroughTheProxy(t *testing.T) {
	for _, secure := range []bool{false, true} {
		client, via, target := behind(t, secure, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Proxy-Authorization") != "" || !strings.HasPrefix(r.Host, "media.test:") {
				t.Errorf("%s has the proxy's login or another host", r.Host)
			}
			w.Header().Set("Location", "/session")
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte("v=0"))
		})
		exchanged, f := client.Post(inTime(t), target.JoinPath("whep"), Identity{}, "v=0")
		if f != nil || exchanged.Body != "v=0" {
			t.Fatalf("secure %v: %v", secure, f)
		}
		want := "POST http://" + target.Host + "/whep"
		if secure {
			want = "CONNECT " + target.Host
		}
		if seen := via.Seen(); !slices.Equal(seen, []string{want}) {
			t.Errorf("the proxy has seen %q, want %q", seen, want)
		}
	}
}

func TestWebSocketsGoThroughATunnel(t *testing.T) {
	for _, secure := range []bool{false, true} {
		client, via, target := behind(t, secure, func(w http.ResponseWriter, r *http.Request) {
			if connection, err := websocket.Accept(w, r, nil); err == nil {
				_ = connection.Write(r.Context(), websocket.MessageText, []byte("hello"))
			}
		})
		connection, f := client.OpenWebSocket(inTime(t), target, "")
		if f != nil {
			t.Fatalf("secure %v: %v", secure, f)
		}
		if _, message, err := connection.Read(inTime(t)); err != nil || string(message) != "hello" {
			t.Errorf("secure %v: %q, %v", secure, message, err)
		}
		_ = connection.CloseNow()
		if seen := via.Seen(); !slices.Equal(seen, []string{"CONNECT " + target.Host}) {
			t.Errorf("secure %v: the proxy has seen %q", secure, seen)
		}
	}
}

func TestAProxyThatRefusesIsNamed(t *testing.T) {
	for _, secure := range []bool{false, true} {
		client, via, target := behind(t, secure, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
		refusing := httpproxy.Start(t, "", http.StatusForbidden)
		for _, each := range []struct{ setting, want string }{
			{strings.Replace(via.URL, "p%40ss", "wrong-password", 1), "The proxy " + via.Host + " (the setting proxy of the node) refused "},
			{"http://u:wrong-password@127.0.0.1:1", "The proxy 127.0.0.1:1 (the setting proxy of the node) can't be reached: "},
			{refusing.URL, "he proxy " + refusing.Host + " (the setting proxy of the node)"},
			{"socks5://u:wrong-password@127.0.0.1:1", "The address in the setting proxy of the node is not that of an HTTP proxy."},
		} {
			client.Proxies = proxy.New(each.setting)
			_, f := client.Post(inTime(t), target, Identity{}, "v=0")
			if f == nil || !strings.Contains(f.Detail, each.want) || strings.Contains(f.Detail, "wrong-password") {
				t.Errorf("secure %v, %s: %v", secure, each.setting, f)
			}
		}
		client.Proxies = proxy.New(via.URL)
		if _, f := client.Post(inTime(t), target, Identity{}, "v=0"); f == nil || secure == strings.Contains(f.Detail, "may have refused it") {
			t.Errorf("secure %v: a refusal of the server: %v", secure, f)
		}
	}
}

func TestLoopbackIsReachedWithoutAProxy(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	t.Cleanup(server.Close)
	target, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := NewClient()
	client.Proxies = proxy.New("http://127.0.0.1:1")
	if _, f := client.Post(inTime(t), target, Identity{}, "v=0"); f != nil {
		t.Fatal(f)
	}
}
