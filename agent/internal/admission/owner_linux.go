package admission

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// overflowUID stands for users outside of this process's user namespace, such as the root of a container's host.
const overflowUID = 65534

// isInNamespace is set if this process does not see all users: overflowUID is an ordinary user otherwise.
var isInNamespace = func() bool {
	uids, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && !slices.Equal(strings.Fields(string(uids)), []string{"0", "0", "4294967295"})
}()

const (
	established = 1 // TCP_ESTABLISHED
	// requestBytes is struct inet_diag_req_v2, messageBytes the start of struct inet_diag_msg up to its uid.
	requestBytes = 56
	messageBytes = 68
	uidOffset    = 64
)

// native is the byte order of netlink messages.
var native = binary.NativeEndian

// peerOwner looks up the other end of a connection over loopback. For an end that is closed already the system names no
// user; it counts as foreign, since a console stays for the response.
func peerOwner(conn net.Conn) owner {
	local, remote := addressOf(conn.LocalAddr()), addressOf(conn.RemoteAddr())
	if !remote.Addr().IsLoopback() {
		return owner{}
	}
	uid, state, err := ownerOf(remote, local)
	if errors.Is(err, unix.ENOENT) {
		return owner{isForeign: true}
	}
	if err != nil {
		return owner{} // a system without sock_diag
	}
	isTrusted := uid == uint32(os.Geteuid()) || uid == 0 || isInNamespace && uid == overflowUID
	return owner{uid: uid, isKnown: state == established, isForeign: state != established || !isTrusted}
}

func addressOf(address net.Addr) netip.AddrPort {
	if tcp, ok := address.(*net.TCPAddr); ok {
		local := tcp.AddrPort()
		return netip.AddrPortFrom(local.Addr().Unmap(), local.Port())
	}
	return netip.AddrPort{}
}

// ownerOf requests one TCP socket of this machine by its addresses (sock_diag(7)): it needs no privileges, and its cost
// does not depend on how many sockets there are.
func ownerOf(source, target netip.AddrPort) (uid uint32, state byte, err error) {
	socket, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return 0, 0, err
	}
	defer unix.Close(socket)
	if err := unix.SetsockoptTimeval(socket, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1}); err != nil {
		return 0, 0, err
	}
	if err := unix.Sendto(socket, diagRequest(source, target), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return 0, 0, err
	}
	response := make([]byte, 4096)
	read, _, err := unix.Recvfrom(socket, response, 0)
	if err != nil {
		return 0, 0, err
	}
	messages, err := syscall.ParseNetlinkMessage(response[:read])
	if err != nil {
		return 0, 0, err
	}
	for _, message := range messages {
		switch {
		case message.Header.Type == unix.NLMSG_ERROR && len(message.Data) >= 4:
			return 0, 0, unix.Errno(-int32(native.Uint32(message.Data)))
		case message.Header.Type == unix.SOCK_DIAG_BY_FAMILY && len(message.Data) >= messageBytes:
			return native.Uint32(message.Data[uidOffset:]), message.Data[1], nil
		}
	}
	return 0, 0, unix.ENOENT
}

func diagRequest(source, target netip.AddrPort) []byte {
	request := make([]byte, unix.NLMSG_HDRLEN+requestBytes)
	native.PutUint32(request[0:], uint32(len(request)))
	native.PutUint16(request[4:], unix.SOCK_DIAG_BY_FAMILY)
	native.PutUint16(request[6:], unix.NLM_F_REQUEST)
	body := request[unix.NLMSG_HDRLEN:]
	body[0], body[1] = unix.AF_INET, unix.IPPROTO_TCP
	if source.Addr().Is6() {
		body[0] = unix.AF_INET6
	}
	native.PutUint32(body[4:], 0xffffffff) // any state
	id := body[8:]
	binary.BigEndian.PutUint16(id[0:], source.Port())
	binary.BigEndian.PutUint16(id[2:], target.Port())
	copy(id[4:20], source.Addr().AsSlice())
	copy(id[20:36], target.Addr().AsSlice())
	native.PutUint32(id[40:], 0xffffffff) // INET_DIAG_NOCOOKIE
	native.PutUint32(id[44:], 0xffffffff)
	return request
}
