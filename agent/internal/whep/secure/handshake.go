// Package secure makes the DTLS handshake of a viewer and keeps nothing of it but the SRTP keys and a goodbye.
package secure

import (
	"context"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/elliptic"
	"github.com/pion/dtls/v3/pkg/crypto/fingerprint"
	"github.com/pion/dtls/v3/pkg/crypto/selfsign"
	"github.com/pion/dtls/v3/pkg/protocol/alert"
	"github.com/pion/srtp/v3"
	"github.com/pion/transport/v4/deadline"

	"fullhouse/agent/internal/failure"
)

const (
	RecordAlert = 21
	// flightInterval is the first wait before a flight is sent again; 1 s, the library's, would make one lost
	// datagram look like a slow server.
	flightInterval = 400 * time.Millisecond
	dtlsQueue      = 32
)

// Certificate is the one that all viewers of this agent show; a key pair each would only cost time.
type Certificate struct {
	tls         tls.Certificate
	Fingerprint string
}

// NewCertificate makes a P-256 key and a self-signed certificate.
func NewCertificate() (Certificate, error) {
	certificate, err := selfsign.GenerateSelfSigned()
	if err != nil {
		return Certificate{}, fmt.Errorf("no certificate for DTLS: %w", err)
	}
	parsed, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		return Certificate{}, fmt.Errorf("no certificate for DTLS: %w", err)
	}
	print, err := fingerprint.Fingerprint(parsed, crypto.SHA256)
	if err != nil {
		return Certificate{}, fmt.Errorf("no fingerprint for DTLS: %w", err)
	}
	return Certificate{tls: certificate, Fingerprint: strings.ToUpper(print)}, nil
}

// Session is what remains of a DTLS connection once it has made the keys.
type Session struct {
	Profile srtp.ProtectionProfile
	Keys    srtp.SessionKeys
	// Farewell is the encrypted close_notify, kept to be sent when the viewer leaves.
	Farewell []byte
}

// Handshake makes the handshake as client over pipe and keeps nothing of the connection but the keys: the
// connection costs 40 KB and three goroutines, and nothing more comes on it but an alert.
func Handshake(ctx context.Context, pipe *Pipe, certificate Certificate, hashName, promised string) (Session, *failure.Failure) {
	hash, err := fingerprint.HashFromString(hashName)
	if err != nil {
		return Session{}, failure.New(failure.DTLS, "fingerprint", "The answer's fingerprint uses %q, which is not known.", hashName)
	}
	var wrong *failure.Failure
	verify := func(raw [][]byte, _ [][]*x509.Certificate) error {
		if len(raw) == 0 {
			return errors.New("the server shows no certificate")
		}
		shown, err := x509.ParseCertificate(raw[0])
		if err != nil {
			return err
		}
		print, err := fingerprint.Fingerprint(shown, hash)
		if err != nil {
			return err
		}
		if strings.ToUpper(print) != promised {
			wrong = failure.New(failure.DTLS, "fingerprint", "The server's certificate has the fingerprint %.23s…, its answer promised %.23s….", strings.ToUpper(print), promised)
			return errors.New("wrong fingerprint")
		}
		return nil
	}
	began := time.Now()
	connection, err := dtls.ClientWithOptions(pipe, pipe.peer,
		dtls.WithCertificates(certificate.tls),
		dtls.WithEllipticCurves(elliptic.P256), // SRS refuses a client that offers X25519 alone
		dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80),
		dtls.WithInsecureSkipVerify(true), // the fingerprint is what is trusted
		dtls.WithVerifyPeerCertificate(verify),
		dtls.WithFlightInterval(flightInterval))
	if err != nil {
		return Session{}, failure.New(failure.DTLS, "handshake", "DTLS can't begin: %v.", err)
	}
	if err := connection.HandshakeContext(ctx); err != nil {
		defer connection.Close()
		description, alerted := pipe.alert()
		switch {
		case wrong != nil:
			return Session{}, wrong
		case alerted:
			return Session{}, failure.New(failure.DTLS, "alert-"+kebab(description.String()), "The server ended the DTLS handshake after %s with the alert %s.", failure.Elapsed(began), description)
		case ctx.Err() != nil:
			return Session{}, failure.New(failure.DTLS, "timeout", "The DTLS handshake with %s was not done after %s; the server had sent %d datagrams.", pipe.peer, failure.Elapsed(began), pipe.received.Load())
		}
		return Session{}, failure.New(failure.DTLS, "handshake", "The DTLS handshake failed after %s: %v.", failure.Elapsed(began), err)
	}
	result, err := exportKeys(connection)
	pipe.mute()
	if closeErr := connection.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return Session{}, failure.New(failure.DTLS, "keys", "No SRTP keys came out of DTLS: %v.", err)
	}
	result.Farewell = pipe.captured()
	return result, nil
}

func exportKeys(connection *dtls.Conn) (Session, error) {
	selected, ok := connection.SelectedSRTPProtectionProfile()
	if !ok {
		return Session{}, errors.New("the server chose no SRTP profile")
	}
	state, ok := connection.ConnectionState()
	if !ok {
		return Session{}, errors.New("the state can't be read")
	}
	config := srtp.Config{}
	switch selected {
	case dtls.SRTP_AEAD_AES_128_GCM:
		config.Profile = srtp.ProtectionProfileAeadAes128Gcm
	case dtls.SRTP_AES128_CM_HMAC_SHA1_80:
		config.Profile = srtp.ProtectionProfileAes128CmHmacSha1_80
	default:
		return Session{}, fmt.Errorf("the server chose SRTP profile %#x, which was not offered", uint16(selected))
	}
	if err := config.ExtractSessionKeysFromDTLS(&state, true); err != nil {
		return Session{}, err
	}
	return Session{Profile: config.Profile, Keys: config.Keys}, nil
}

// kebab turns HandshakeFailure into handshake-failure.
func kebab(name string) string {
	var b strings.Builder
	for i, letter := range name {
		if unicode.IsUpper(letter) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(letter))
	}
	return b.String()
}

// Pipe is the DTLS part of a viewer's socket as a net.PacketConn.
type Pipe struct {
	send     func([]byte) error
	peer     net.Addr
	incoming chan []byte
	readBy   *deadline.Deadline
	closed   chan struct{}
	closing  sync.Once
	received atomic.Int32
	fatal    atomic.Int32 // the description of a plaintext alert plus one

	mutex sync.Mutex
	muted bool
	last  []byte
	said  chan struct{} // closed when last, the close_notify, is kept
}

// goodbyePatience bounds the wait for the library's close_notify; it has only to be scheduled.
const goodbyePatience = time.Second

func NewPipe(send func([]byte) error, peer net.Addr) *Pipe {
	return &Pipe{send: send, peer: peer, incoming: make(chan []byte, dtlsQueue), readBy: deadline.New(), closed: make(chan struct{}), said: make(chan struct{})}
}

// Deliver takes a datagram from the socket; one too many is dropped, as a network would.
func (p *Pipe) Deliver(data []byte) {
	p.received.Add(1)
	if len(data) >= 15 && data[0] == RecordAlert && data[3] == 0 && data[4] == 0 && data[13] == byte(alert.Fatal) {
		p.fatal.Store(int32(data[14]) + 1) // epoch 0: not encrypted, so the reason can be read
	}
	select {
	case p.incoming <- append([]byte(nil), data...):
	default:
	}
}

func (p *Pipe) alert() (alert.Description, bool) {
	fatal := p.fatal.Load()
	return alert.Description(max(fatal-1, 0)), fatal > 0
}

// mute keeps what is written from now on instead of sending it.
func (p *Pipe) mute() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.muted = true
}

func (p *Pipe) captured() []byte {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.last
}

func (p *Pipe) ReadFrom(buffer []byte) (int, net.Addr, error) {
	select {
	case data := <-p.incoming:
		return copy(buffer, data), p.peer, nil
	case <-p.readBy.Done():
		return 0, nil, os.ErrDeadlineExceeded
	case <-p.closed:
		return 0, nil, net.ErrClosed
	}
}

func (p *Pipe) WriteTo(data []byte, _ net.Addr) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.muted {
		// A server that repeats its flight just now makes the library repeat its own, which is no goodbye.
		if data[0] == RecordAlert && p.last == nil {
			p.last = append([]byte(nil), data...)
			close(p.said)
		}
		return len(data), nil
	}
	// A send that fails is like a datagram lost on the way: the handshake sends again, and its end tells.
	_ = p.send(data)
	return len(data), nil
}

// Close ends reads. When the library closes its connection, its reader may get here before the close_notify is
// written, and would then lose it; so a muted pipe waits for that.
func (p *Pipe) Close() error {
	p.mutex.Lock()
	muted := p.muted
	p.mutex.Unlock()
	if muted {
		select {
		case <-p.said:
		case <-time.After(goodbyePatience):
		}
	}
	p.closing.Do(func() { close(p.closed) })
	return nil
}

func (p *Pipe) LocalAddr() net.Addr                { return &net.UDPAddr{} }
func (p *Pipe) SetDeadline(t time.Time) error      { return p.SetReadDeadline(t) }
func (p *Pipe) SetReadDeadline(t time.Time) error  { p.readBy.Set(t); return nil }
func (p *Pipe) SetWriteDeadline(_ time.Time) error { return nil }
