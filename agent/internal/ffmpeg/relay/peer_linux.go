package relay

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// isOwn reports whether a socket of this machine's loopback belongs to this user; network is tcp or udp. Another user's
// program can connect to a socket of loopback, too.
func isOwn(network string, socket netip.AddrPort) bool {
	table, err := os.ReadFile("/proc/net/" + network)
	if err != nil {
		return false
	}
	address := socket.Addr().Unmap().As4()
	var native [4]byte
	binary.NativeEndian.PutUint32(native[:], binary.BigEndian.Uint32(address[:]))
	local := fmt.Sprintf("%08X:%04X", native, socket.Port())
	anyLocal := fmt.Sprintf("00000000:%04X", socket.Port()) // a UDP socket that is bound to all addresses
	for line := range strings.Lines(string(table)) {
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid
		if fields := strings.Fields(line); len(fields) > 7 && (fields[1] == local || fields[1] == anyLocal) {
			return fields[7] == strconv.Itoa(os.Geteuid())
		}
	}
	return false
}
