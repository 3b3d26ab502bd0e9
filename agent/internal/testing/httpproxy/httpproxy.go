// Package httpproxy is an HTTP proxy on loopback for tests. It finds every host on this machine, so that names of tests
// need no DNS.
package httpproxy

import (
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// Proxy is a started proxy.
type Proxy struct {
	// URL has the login.
	URL string
	// Host is host:port.
	Host  string
	mutex sync.Mutex
	seen  []string
}

// Start starts a proxy, which requires a login ("user:password") unless it is empty, and refuses all requests with a status
// other than 0.
func Start(t *testing.T, login string, refuseWith int) *Proxy {
	t.Helper()
	p := &Proxy{}
	expected := "Basic " + base64.StdEncoding.EncodeToString([]byte(login))
	onward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Host = net.JoinHostPort("127.0.0.1", r.In.URL.Port())
		r.Out.Host = r.In.Host
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mutex.Lock()
		p.seen = append(p.seen, r.Method+" "+r.RequestURI)
		p.mutex.Unlock()
		switch {
		case login != "" && r.Header.Get("Proxy-Authorization") != expected:
			w.WriteHeader(http.StatusProxyAuthRequired)
		case refuseWith != 0:
			w.WriteHeader(refuseWith)
		case r.Method == http.MethodConnect:
			tunnel(w, r)
		default:
			onward.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	p.Host = strings.TrimPrefix(server.URL, "http://")
	address := url.URL{Scheme: "http", Host: p.Host}
	if user, password, found := strings.Cut(login, ":"); found {
		address.User = url.UserPassword(user, password)
	}
	p.URL = address.String()
	return p
}

func tunnel(w http.ResponseWriter, r *http.Request) {
	_, port, _ := net.SplitHostPort(r.RequestURI)
	target, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	client, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		_ = target.Close()
		return
	}
	_, _ = client.Write([]byte("HTTP/1.1 200 Connected\r\n\r\n"))
	for _, pair := range [][2]net.Conn{{client, target}, {target, client}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1])
			_ = pair[0].Close()
		}()
	}
}

// Seen are the lines of the requests so far, such as "CONNECT media.test:443".
func (p *Proxy) Seen() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]string(nil), p.seen...)
}

// Named is the address of a server on loopback by a name that only the proxy finds.
func Named(address string) string {
	return strings.Replace(address, "127.0.0.1", "media.test", 1)
}
