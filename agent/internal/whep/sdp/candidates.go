package sdp

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"
)

// maxCandidates bounds how many candidates of an answer a viewer checks.
const maxCandidates = 16

// Transport is how a viewer reaches candidates.
type Transport uint8

// The transports. Over TCP only passive candidates of the server are supported (RFC 6544).
const (
	UDP Transport = iota
	TCP
)

func (t Transport) String() string {
	if t == TCP {
		return "TCP"
	}
	return "UDP"
}

// Candidate is a server candidate that can be checked.
type Candidate struct {
	Address netip.AddrPort
	// Type is host, srflx, prflx or relay; empty for any other value.
	Type string
}

// Addresses are the addresses of candidates.
func Addresses(candidates []Candidate) []netip.AddrPort {
	addresses := make([]netip.AddrPort, len(candidates))
	for i, one := range candidates {
		addresses[i] = one.Address
	}
	return addresses
}

// Named is a server candidate whose address is a host name, which has to be resolved (RFC 8839, 5.1).
type Named struct {
	Host string
	Port uint16
	Type string // as of a Candidate
}

// candidate is a server candidate; its address is invalid if it has a name, or is not supported here.
type candidate struct {
	Candidate
	priority uint64
	name     string
}

// hostName is a name of the DNS, or of mDNS (.local); IPv6 addresses and nonsense are none.
var hostName = regexp.MustCompile(`^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9.])?$`)

// readCandidates parses the candidates of RTP; those of RTCP alone don't count.
func readCandidates(attributes []sdp.Attribute, over Transport) []candidate {
	var candidates []candidate
	for _, attribute := range attributes {
		if attribute.Key != "candidate" || len(candidates) >= 4*maxCandidates {
			continue
		}
		if one, ok := readCandidate(attribute.Value, over); ok {
			candidates = append(candidates, one)
		}
	}
	return candidates
}

// readCandidate parses: foundation component transport priority address port typ TYPE … The other transport is not
// supported here.
func readCandidate(value string, over Transport) (candidate, bool) {
	fields := strings.Fields(value)
	if len(fields) < 8 || fields[1] != "1" {
		return candidate{}, false
	}
	priority, err := strconv.ParseUint(fields[3], 10, 32)
	if err != nil {
		return candidate{}, false
	}
	port, err := strconv.ParseUint(fields[5], 10, 16)
	if err != nil {
		return candidate{}, false
	}
	address, err := netip.ParseAddr(fields[4])
	if err != nil && port != 0 && isOver(fields, over) && hostName.MatchString(fields[4]) {
		return candidate{Candidate{netip.AddrPortFrom(netip.Addr{}, uint16(port)), candidateType(fields[7])}, priority, fields[4]}, true
	}
	address = address.Unmap()
	if err != nil || port == 0 || !isOver(fields, over) || !IsUsable(address) {
		return candidate{}, true
	}
	return candidate{Candidate{netip.AddrPortFrom(address, uint16(port)), candidateType(fields[7])}, priority, ""}, true
}

// IsUsable reports whether viewers send to an address of a server. A link-local IPv6 address is useless without an
// interface.
func IsUsable(address netip.Addr) bool {
	return address.IsValid() && !address.IsUnspecified() && !address.IsMulticast() && address.Zone() == "" &&
		!(address.Is6() && address.IsLinkLocalUnicast())
}

// isOver reports whether a candidate is of a transport: udp, or tcp with "tcptype passive".
func isOver(fields []string, over Transport) bool {
	if over == UDP {
		return strings.EqualFold(fields[2], "udp")
	}
	i := slices.Index(fields[8:], "tcptype") + 8
	return strings.EqualFold(fields[2], "tcp") && i >= 8 && i+1 < len(fields) && strings.EqualFold(fields[i+1], "passive")
}

// candidateType returns a constant: a substring would keep the complete answer in memory.
func candidateType(word string) string {
	for _, known := range []string{"host", "srflx", "prflx", "relay"} {
		if strings.EqualFold(word, known) {
			return known
		}
	}
	return ""
}

// usable are the candidates without duplicates, best first, and how many are not supported.
func usable(list []candidate) (candidates []Candidate, named []Named, passedOver int) {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.priority, a.priority) })
	for _, one := range list {
		switch {
		case one.name != "":
			// A substring would keep the complete answer in memory.
			name := Named{strings.Clone(one.name), one.Address.Port(), one.Type}
			if len(named) < maxCandidates && !slices.Contains(named, name) {
				named = append(named, name)
			}
		case !one.Address.IsValid():
			passedOver++
		case len(candidates) < maxCandidates && !slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Address == one.Address }):
			candidates = append(candidates, one.Candidate)
		}
	}
	return candidates, named, passedOver
}

// Fragment is what a viewer sends to a server that has not reached it yet (RFC 8840): the one candidate of its offer.
type Fragment struct {
	Ufrag     string
	Password  string
	Candidate netip.AddrPort
	Relayed   bool
	Transport Transport
}

// candidateText is a candidate of ours; a relayed one has the address as the TURN server sees it (RFC 8839, 5.1). An
// active one over TCP has the discard port (RFC 6544, 4.5).
func candidateText(candidate, related netip.AddrPort, over Transport) string {
	if over == TCP {
		return fmt.Sprintf("1 1 tcp 1518280447 %s %d typ host tcptype active", candidate.Addr(), discardPort)
	}
	if !related.IsValid() {
		return fmt.Sprintf("1 1 udp 2130706431 %s %d typ host", candidate.Addr(), candidate.Port())
	}
	return fmt.Sprintf("1 1 udp 16777215 %s %d typ relay raddr %s rport %d", candidate.Addr(), candidate.Port(), related.Addr(), related.Port())
}

// discardPort stands for a port from which there is none yet.
const discardPort = 9

// hidden stands for the related address that need not be given.
var hidden = netip.AddrPortFrom(netip.IPv4Unspecified(), 9)

// String is the fragment of the first section, with which the other is bundled.
func (f Fragment) String() string {
	var related netip.AddrPort
	if f.Relayed {
		related = hidden
	}
	return fmt.Sprintf("a=ice-ufrag:%s\r\na=ice-pwd:%s\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\na=candidate:%s\r\na=end-of-candidates\r\n",
		f.Ufrag, f.Password, candidateText(f.Candidate, related, f.Transport))
}

// ParseFragment parses the server's candidates in its response, best first. A fragment of another ICE session, as after
// a restart, has none for this one.
func ParseFragment(body, ufrag string, over Transport) ([]Candidate, []Named) {
	if len(body) > maxBytes {
		return nil, nil
	}
	var listed []candidate
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimSpace(line)
		if other, isUfrag := strings.CutPrefix(line, "a=ice-ufrag:"); isUfrag && strings.TrimSpace(other) != ufrag {
			return nil, nil
		}
		if value, isCandidate := strings.CutPrefix(line, "a=candidate:"); isCandidate && len(listed) < 4*maxCandidates {
			if one, ok := readCandidate(value, over); ok {
				listed = append(listed, one)
			}
		}
	}
	candidates, named, _ := usable(listed)
	return candidates, named
}
