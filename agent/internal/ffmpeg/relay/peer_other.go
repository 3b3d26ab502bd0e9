//go:build !linux

package relay

import "net/netip"

// isOwn can't tell users apart here: the first connection is taken.
func isOwn(string, netip.AddrPort) bool { return true }
