package whep

import (
	"context"
	"net/netip"
	"slices"
	"testing"
)

func TestAddressesOfNamesAreThoseThatCandidatesMayHave(t *testing.T) {
	parse := func(texts ...string) (addresses []netip.Addr) {
		for _, text := range texts {
			addresses = append(addresses, netip.MustParseAddr(text))
		}
		return addresses
	}
	unusable := []string{"0.0.0.0", "::", "224.0.0.1", "ff02::1", "fe80::1"}
	for name, addresses := range map[string][]netip.Addr{
		"mixed.test":    parse(append(unusable, "192.0.2.1")...),
		"unusable.test": parse(unusable...),
	} {
		var all names
		found, problem := all.resolve(t.Context(), name, func(context.Context, string) ([]netip.Addr, error) { return addresses, nil })
		expected, reason := parse("192.0.2.1"), ""
		if name == "unusable.test" {
			expected, reason = nil, "no address that viewers can send to"
		}
		if !slices.Equal(found, expected) || problem != reason {
			t.Errorf("%s: %v, %q", name, found, problem)
		}
	}
}
