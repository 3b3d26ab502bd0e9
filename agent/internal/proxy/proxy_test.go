package proxy

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"
)

var names = []string{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"}

func withVariables(t *testing.T, pairs ...string) {
	t.Helper()
	for _, name := range names {
		t.Setenv(name, "")
	}
	for i := 0; i < len(pairs); i += 2 {
		t.Setenv(pairs[i], pairs[i+1])
	}
}

func choice(t *testing.T, setting, address string) *Choice {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	c, f := New(setting).For(target)
	if f != nil {
		t.Fatalf("%s: %v", address, f)
	}
	return c
}

func TestExcludedHostsAreThoseOfTheConsole(t *testing.T) {
	text, err := os.ReadFile("../../../tests/fixtures/no-proxy.json")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Proxy string
		Cases []struct {
			NoProxy         string
			Direct, Proxied []string
		}
	}
	if err := json.Unmarshal(text, &rules); err != nil || len(rules.Cases) < 10 {
		t.Fatalf("%d cases, %v", len(rules.Cases), err)
	}
	for _, each := range rules.Cases {
		withVariables(t, "http_proxy", rules.Proxy, "https_proxy", rules.Proxy, "no_proxy", each.NoProxy)
		for _, address := range each.Direct {
			if c := choice(t, "", address); c != nil {
				t.Errorf("no_proxy=%s: %s goes through %s", each.NoProxy, address, c.Name)
			}
		}
		for _, address := range each.Proxied {
			if c := choice(t, "", address); c == nil || c.Address != "10.9.9.9:3128" {
				t.Errorf("no_proxy=%s: %s has %+v", each.NoProxy, address, c)
			}
		}
	}
}

func TestSourcesOfAProxy(t *testing.T) {
	const plain, secure = "http://media.example/", "https://media.example/"
	for _, each := range []struct {
		variables []string
		setting   string
		address   string
		name      string // empty: none
	}{
		{nil, "", plain, ""},
		{[]string{"http_proxy", "http://a:1"}, "", plain, "the proxy a:1 (the variable http_proxy)"},
		{[]string{"http_proxy", "http://a:1"}, "", secure, ""},
		{[]string{"HTTPS_PROXY", "a"}, "", secure, "the proxy a (the variable HTTPS_PROXY)"},
		{[]string{"https_proxy", "a:1", "HTTPS_PROXY", "b:2"}, "", secure, "the proxy a:1 (the variable https_proxy)"},
		{[]string{"ALL_PROXY", "http://u:secret@a:1"}, "", plain, "the proxy a:1 (the variable ALL_PROXY)"},
		{[]string{"all_proxy", "a:1", "NO_PROXY", "media.example"}, "", plain, ""},
		{[]string{"http_proxy", "a:1"}, None, plain, ""},
		{[]string{"http_proxy", "a:1", "no_proxy", "*"}, "http://own:3128", plain, "the proxy own:3128 (the setting proxy of the node)"},
		{nil, "http://own:3128", "http://127.0.0.1:80/", ""},
	} {
		withVariables(t, each.variables...)
		name := ""
		if c := choice(t, each.setting, each.address); c != nil {
			name = c.Name
		}
		if name != each.name {
			t.Errorf("%v, setting %q, %s: %q, want %q", each.variables, each.setting, each.address, name, each.name)
		}
	}
}

func TestProxyThatIsNotUsable(t *testing.T) {
	for _, text := range []string{"socks5://u:secret@a:1", "https://a:1", "http://", "http://u:secret@%zz"} {
		withVariables(t, "http_proxy", text)
		_, f := New("").For(&url.URL{Scheme: "http", Host: "media.example"})
		if f == nil || !strings.Contains(f.Detail, "the variable http_proxy") || strings.Contains(f.Detail, "secret") {
			t.Errorf("%s: %v", text, f)
		}
	}
}
