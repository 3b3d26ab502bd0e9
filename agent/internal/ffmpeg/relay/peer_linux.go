package relay

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// isOwn reports whether a UDP socket of this machine's loopback belongs to this user: another user's program can send to
// a socket of loopback, too.
func isOwn(socket netip.AddrPort) bool {
	table, err := os.ReadFile("/proc/net/udp")
	if err != nil {
		return false
	}
	address := socket.Addr().Unmap().As4()
	local := fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(address[:]), socket.Port())
	bound := fmt.Sprintf("00000000:%04X", socket.Port()) // to all addresses, as libsrt does
	for line := range strings.Lines(string(table)) {
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid
		if fields := strings.Fields(line); len(fields) > 7 && (fields[1] == local || fields[1] == bound) {
			return fields[7] == strconv.Itoa(os.Geteuid())
		}
	}
	return false
}
