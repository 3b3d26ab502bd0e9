// Package proxy decides which requests go through an HTTP proxy: by the setting of a node, else by the variables of the
// environment, as the console does (src/engine/links/http/proxyChoice.ts). Loopback never does.
package proxy

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// None is the setting without any proxy, whatever the variables are.
const None = "none"

// Rules are those of one job.
type Rules struct {
	http, https source
	noProxy     string
}

// source is where the address of a proxy is from.
type source struct{ text, name string }

// New makes rules of a node's setting; an empty one stands for the variables.
func New(setting string) *Rules {
	switch setting {
	case None:
		return &Rules{}
	case "":
		all := first("", source{os.Getenv("all_proxy"), "all_proxy"}, source{os.Getenv("ALL_PROXY"), "ALL_PROXY"})
		r := &Rules{
			http:    first("the variable ", source{os.Getenv("http_proxy"), "http_proxy"}, source{os.Getenv("HTTP_PROXY"), "HTTP_PROXY"}, all),
			https:   first("the variable ", source{os.Getenv("https_proxy"), "https_proxy"}, source{os.Getenv("HTTPS_PROXY"), "HTTPS_PROXY"}, all),
			noProxy: os.Getenv("no_proxy"),
		}
		if r.noProxy == "" {
			r.noProxy = os.Getenv("NO_PROXY")
		}
		return r
	}
	own := source{setting, "the setting proxy of the node"}
	return &Rules{http: own, https: own}
}

// first is the first source that is set.
func first(prefix string, sources ...source) source {
	for _, each := range sources {
		if each.text != "" {
			return source{each.text, prefix + each.name}
		}
	}
	return source{}
}

// Choice is the proxy for an address.
type Choice struct {
	// Address is host:port.
	Address string
	// Authorization is the value of Proxy-Authorization; empty for none.
	Authorization string
	// Name is for sentences, without the login.
	Name string
	// URL has the login too.
	URL *url.URL
}

// For returns the proxy for an http or https address; nil for none.
func (r *Rules) For(target *url.URL) (*Choice, *failure.Failure) {
	if r == nil {
		return nil, nil
	}
	from := r.http
	if target.Scheme == "https" {
		from = r.https
	}
	if from.text == "" {
		return nil, nil
	}
	if isLoopback(target.Hostname()) || isExcluded(target, r.noProxy) {
		return nil, nil
	}
	return choiceOf(from)
}

func choiceOf(from source) (*Choice, *failure.Failure) {
	text := from.text
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "http" || address.Hostname() == "" {
		// Not the text itself: it may contain a password.
		return nil, failure.New(failure.Name, protocol.CauseBadURL,
			"The address in %s is not that of an HTTP proxy. Write http://HOST:PORT; SOCKS and proxies with TLS are not supported.", from.name)
	}
	port := address.Port()
	if port == "" {
		port = "80"
	}
	c := &Choice{Address: net.JoinHostPort(address.Hostname(), port), Name: fmt.Sprintf("the proxy %s (%s)", address.Host, from.name), URL: address}
	if user := address.User; user != nil {
		password, _ := user.Password()
		c.Authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password))
	}
	return c, nil
}

const exclude = " (no_proxy, or proxy: none for the node)"

// Refusal is the failure of a response of the proxy itself.
func (c *Choice) Refusal(stage failure.Stage, status int, address string) *failure.Failure {
	why := "could not reach it; check the address, or exclude the host" + exclude
	switch status {
	case http.StatusProxyAuthRequired:
		why = "requires a user and a password, or refuses these; write them in its address"
	case http.StatusForbidden:
		why = "does not allow connections to it; ask its owner to allow that, or exclude the host" + exclude
	}
	return failure.New(stage, protocol.HTTPCause(status), "%s refused %s with HTTP %d: it %s.", c.Subject(), address, status, why)
}

// Unreachable is the failure of a connection to the proxy.
func (c *Choice) Unreachable(f *failure.Failure) *failure.Failure {
	return failure.New(f.Stage, f.Cause, "%s can't be reached: %s Check its address, or exclude the host%s.", c.Subject(), f.Detail, exclude)
}

// Subject is the name at the start of a sentence.
func (c *Choice) Subject() string { return "T" + c.Name[1:] }

// Explain completes the failure of a response that the proxy may have sent instead of the server; c may be nil.
func (c *Choice) Explain(f *failure.Failure, status int, address string) *failure.Failure {
	switch {
	case c == nil || f == nil:
		return f
	case status == http.StatusProxyAuthRequired:
		return c.Refusal(f.Stage, status, address)
	}
	explained := *f
	explained.Detail = strings.TrimSuffix(f.Detail, ".") + "; " + c.Name + " may have refused it instead of the server."
	return &explained
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// isExcluded reports whether a list as in no_proxy has the host of an address: a name stands for its subdomains too, one
// with a leading dot or "*." for these only; addresses, ranges of them, ports, and "*" for all. The package httpproxy of
// golang.org/x/net would add golang.org/x/text to the agent for it.
func isExcluded(target *url.URL, list string) bool {
	host, port := strings.TrimSuffix(strings.ToLower(target.Hostname()), "."), target.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[target.Scheme]
	}
	ip, notIP := netip.ParseAddr(host)
	for entry := range strings.SplitSeq(strings.ToLower(list), ",") {
		entry = strings.TrimSpace(entry)
		if entry == "*" {
			return true
		}
		if network, err := netip.ParsePrefix(entry); err == nil && notIP == nil && network.Masked().Contains(ip) {
			return true
		}
		if isHost(host, port, entry) {
			return true
		}
	}
	return false
}

func isHost(host, port, entry string) bool {
	name := strings.Trim(entry, "[]")
	if _, err := netip.ParseAddr(name); err != nil {
		if before, after, found := strings.Cut(entry, ":"); found && !strings.HasPrefix(entry, "[") {
			name, entry = before, after
		} else if before, after, found := strings.Cut(entry, "]:"); found {
			name, entry = strings.TrimPrefix(before, "["), after
		} else {
			entry = port
		}
		if entry != port {
			return false
		}
	}
	if name == "" {
		return false
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return name == host
	}
	suffix := name
	if strings.HasPrefix(name, "*.") {
		suffix = name[1:]
	}
	if strings.HasPrefix(suffix, ".") {
		return strings.HasSuffix(host, suffix)
	}
	return host == suffix || strings.HasSuffix(host, "."+suffix)
}
