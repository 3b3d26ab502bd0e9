package hls

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/testing/hlstest"
	"fullhouse/agent/internal/testing/httpproxy"
)

func TestSegmentsGoThroughTheProxy(t *testing.T) {
	o := hlstest.Start(t, live)
	o.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Proxy-Authorization") != "" || !strings.HasPrefix(r.Host, "media.test:") {
			t.Errorf("%s has the proxy's login or another host", r.Host)
		}
		return false
	})
	via := httpproxy.Start(t, "qa:secret", 0)
	address := httpproxy.Named(o.URL) + "/live.m3u8"
	a := newAudience(t, address, func(c *Config) { c.Client.Proxies = proxy.New(via.URL) })
	v := a.mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 50 })
	if seen := via.Seen(); len(seen) < 5 || slices.ContainsFunc(seen, func(line string) bool { return !strings.HasPrefix(line, "GET "+httpproxy.Named(o.URL)+"/") }) {
		t.Errorf("the proxy has seen %q", seen)
	}
	refused := newAudience(t, address, func(c *Config) { c.Client.Proxies = proxy.New("http://u:wrong@" + via.Host) })
	if _, f := refused.join(); f == nil || !strings.HasPrefix(f.Detail, "The proxy "+via.Host+" (the setting proxy of the node) refused "+address+" with HTTP 407") {
		t.Errorf("without the login: %v", f)
	}
}
