package dtlssrtp

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
)

// waitTimeout is for a slow, busy machine; no passing test waits that long.
const waitTimeout = 40 * time.Second

var nowhere = &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}

// line delivers datagrams in one direction, in order, and may drop some.
type line struct {
	mutex sync.Mutex
	count int
	lose  func(n int, datagram []byte) bool // n counts from 1
	to    func([]byte)
}

func (l *line) send(data []byte) error {
	l.mutex.Lock()
	l.count++
	lost := l.lose != nil && l.lose(l.count, data)
	to := l.to
	l.mutex.Unlock()
	if !lost && to != nil {
		to(append([]byte(nil), data...))
	}
	return nil
}

func (l *line) sent() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.count
}

// handshakePair is a viewer's handshake with the library as the server.
type handshakePair struct {
	t              *testing.T
	up, down       line // from the viewer, to the viewer
	viewer, server *Pipe
	certificate    Certificate
	other          Certificate
	connection     *dtls.Conn
	peerError      error
	peerDone       chan struct{}

	mutex         sync.Mutex
	postHandshake *PostHandshake // once the viewer has dropped the connection
	ends          []End
}

func newHandshakePair(t *testing.T, role Role, options ...dtls.Option) *handshakePair {
	t.Helper()
	e := &handshakePair{t: t, peerDone: make(chan struct{})}
	var err error
	if e.certificate, err = NewCertificate(); err != nil {
		t.Fatal(err)
	}
	if e.other, err = NewCertificate(); err != nil {
		t.Fatal(err)
	}
	e.viewer, e.server = NewPipe(e.up.send, nowhere), NewPipe(e.down.send, nowhere)
	e.up.to, e.down.to = e.server.Deliver, e.arrive
	options = append([]dtls.Option{dtls.WithCertificates(e.other.tls), dtls.WithInsecureSkipVerify(true),
		dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80), dtls.WithFlightInterval(100 * time.Millisecond)}, options...)
	if role == Client {
		server := []dtls.ServerOption{dtls.WithClientAuth(dtls.RequireAnyClientCert)}
		for _, option := range options {
			server = append(server, option)
		}
		e.connection, err = dtls.ServerWithOptions(e.server, nowhere, server...)
	} else {
		var client []dtls.ClientOption
		for _, option := range options {
			client = append(client, option)
		}
		e.connection, err = dtls.ClientWithOptions(e.server, nowhere, client...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// arrive does what a viewer does with its datagrams.
func (e *handshakePair) arrive(data []byte) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.postHandshake == nil {
		e.viewer.Deliver(data)
		return
	}
	if end, ended := e.postHandshake.Record(data, time.Now().UnixNano(), e.up.send); ended {
		e.ends = append(e.ends, end)
	}
}

// handshake runs both sides. The peer continues when ours is done.
func (e *handshakePair) handshake(role Role, expected string, timeout time.Duration) (Session, *failure.Failure) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	peer, cancelPeer := context.WithTimeout(context.Background(), waitTimeout)
	go func() {
		defer close(e.peerDone)
		defer cancelPeer()
		e.peerError = e.connection.HandshakeContext(peer)
	}()
	e.t.Cleanup(func() {
		cancelPeer()
		<-e.peerDone
		_ = e.connection.Close()
	})
	defer cancel()
	session, f := Handshake(ctx, e.viewer, role, e.certificate, "sha-256", expected)
	if f == nil {
		e.mutex.Lock()
		defer e.mutex.Unlock()
		e.postHandshake = &session.PostHandshake
		e.postHandshake.Start(time.Now().UnixNano())
	}
	return session, f
}

// compareKeys checks that both sides derived the same keys.
func (e *handshakePair) compareKeys(role Role, session Session) {
	e.t.Helper()
	select {
	case <-e.peerDone:
	case <-time.After(waitTimeout):
		e.t.Fatal("the peer still waits")
	}
	if e.peerError != nil {
		e.t.Fatalf("the peer: %v", e.peerError)
	}
	state, ok := e.connection.ConnectionState()
	if !ok {
		e.t.Fatal("the peer has no state")
	}
	config := srtp.Config{Profile: session.Profile}
	if err := config.ExtractSessionKeysFromDTLS(&state, role == Server); err != nil {
		e.t.Fatal(err)
	}
	if string(config.Keys.LocalMasterKey) != string(session.Keys.RemoteMasterKey) || string(config.Keys.RemoteMasterSalt) != string(session.Keys.LocalMasterSalt) {
		e.t.Error("the two sides derived different keys")
	}
}

func (e *handshakePair) expected() string { return strings.ToUpper(e.other.Fingerprint) }
