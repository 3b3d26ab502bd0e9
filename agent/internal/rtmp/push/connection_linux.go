package push

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// connection reads the system's figures of the TCP connection.
func (s *Session) connection(raw syscall.RawConn) (state Connection, known bool) {
	var info *unix.TCPInfo
	var waiting int
	var err error
	if controlErr := raw.Control(func(descriptor uintptr) {
		if info, err = unix.GetsockoptTCPInfo(int(descriptor), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			waiting, err = unix.IoctlGetInt(int(descriptor), unix.SIOCOUTQ) // sent but not acknowledged, or not yet sent
		}
	}); controlErr != nil || err != nil {
		return Connection{}, false
	}
	return Connection{RoundTrip: time.Duration(info.Rtt) * time.Microsecond, Retransmitted: uint64(info.Total_retrans), Unacknowledged: uint64(max(0, waiting))}, true
}
