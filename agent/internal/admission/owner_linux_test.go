package admission

import (
	"net"
	"os"
	"testing"
)

func TestTheUserOfAPeerOnThisMachineIsKnown(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: %v", address, err) // a system without IPv6
			continue
		}
		peer, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if got := peerOwner(conn); !got.isKnown || got.isForeign || got.uid != uint32(os.Geteuid()) {
			t.Errorf("%s: %+v, want this user, %d", address, got, os.Geteuid())
		}
		_ = peer.(*net.TCPConn).SetLinger(0)
		_ = peer.Close()
		if got := peerOwner(conn); got.isKnown || !got.isForeign {
			t.Errorf("%s: a closed connection counts as foreign, not %+v", address, got)
		}
		_, _ = conn.Close(), listener.Close()
	}
}
