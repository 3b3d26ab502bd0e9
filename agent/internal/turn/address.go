package turn

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Transport is what the client uses to the TURN server; between the relay and the peer it is always UDP.
type Transport string

// The transports of RFC 8656, 3.1. DTLS over UDP is not supported.
const (
	UDP Transport = "udp"
	TCP Transport = "tcp"
	TLS Transport = "tls"
)

const (
	defaultPort       = "3478"
	defaultSecurePort = "5349"
)

// Address is a TURN server.
type Address struct {
	Host      string
	Port      string
	Transport Transport
}

// ParseAddress parses turn:HOST[:PORT][?transport=udp|tcp] and turns:HOST[:PORT] (RFC 7065).
func ParseAddress(text string) (Address, error) {
	scheme, rest, found := strings.Cut(text, ":")
	scheme = strings.ToLower(scheme)
	if !found || scheme != "turn" && scheme != "turns" {
		return Address{}, fmt.Errorf("%.200q is not a TURN address; expected turn:HOST:PORT?transport=udp, or turns:HOST:PORT for TLS", text)
	}
	place, query, _ := strings.Cut(rest, "?")
	a := Address{Transport: UDP, Port: defaultPort}
	if scheme == "turns" {
		a.Transport, a.Port = TLS, defaultSecurePort
	}
	if query != "" {
		name, value, _ := strings.Cut(query, "=")
		switch value = strings.ToLower(value); {
		case name == "transport" && value == "tcp" && scheme == "turn":
			a.Transport = TCP
		case name == "transport" && (value == "tcp") == (scheme == "turns") && (value == "udp" || value == "tcp"):
		case name == "transport" && value == "udp":
			return Address{}, fmt.Errorf("%.200q means DTLS, which is not supported; remove ?transport=udp for TLS", text)
		default:
			return Address{}, fmt.Errorf("%.200q has an unknown parameter; expected ?transport=udp or ?transport=tcp", text)
		}
	}
	a.Host = place
	switch {
	case strings.HasPrefix(place, "["):
		host, after, closed := strings.Cut(place[1:], "]")
		address, err := netip.ParseAddr(host)
		if !closed || err != nil || !address.Is6() || after != "" && after[0] != ':' {
			return Address{}, fmt.Errorf("%.200q has no valid IPv6 address in its brackets", text)
		}
		if a.Host = host; after != "" {
			a.Port = after[1:]
		}
	case strings.Count(place, ":") == 1:
		a.Host, a.Port, _ = strings.Cut(place, ":")
	}
	if port, err := strconv.ParseUint(a.Port, 10, 16); err != nil || port == 0 {
		return Address{}, fmt.Errorf("%.200q has no valid port", text)
	}
	if a.Host == "" || strings.ContainsAny(a.Host, " \t\r\n\x00/@") || strings.Contains(a.Host, ":") && !strings.HasPrefix(place, "[") {
		return Address{}, fmt.Errorf("%.200q has no valid host", text)
	}
	return a, nil
}

// HostPort is the address to connect to.
func (a Address) HostPort() string { return net.JoinHostPort(a.Host, a.Port) }

func (a Address) String() string {
	return a.HostPort() + " (" + strings.ToUpper(string(a.Transport)) + ")"
}
