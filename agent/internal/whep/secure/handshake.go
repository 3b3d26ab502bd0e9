// Package secure makes the DTLS handshake of a viewer and keeps nothing of it but the SRTP keys and a goodbye.
package secure

import (
	"context"
	"crypto"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/elliptic"
	"github.com/pion/dtls/v3/pkg/crypto/fingerprint"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
)

// flightInterval is the first wait before a flight is sent again; 1 s, the library's, would make one lost datagram look like a slow
// server.
const flightInterval = 400 * time.Millisecond

// Role is which side of the handshake we are.
type Role uint8

// The roles. Client is what an offer with setup:active asks for; Server is for an answer with setup:active to an offer with
// setup:actpass.
const (
	Client Role = iota
	Server
)

// Session is what remains of a DTLS connection once it has made the keys.
type Session struct {
	Profile srtp.ProtectionProfile
	Keys    srtp.SessionKeys
	// Farewell is the encrypted close_notify, kept to be sent when the viewer leaves.
	Farewell []byte
	// Afterwards answers what DTLS may still bring.
	Afterwards Afterwards
}

// trust is what a peer's certificate is measured by.
type trust struct {
	hash     crypto.Hash
	promised string
	wrong    *failure.Failure
}

// verify is called by the library with what the peer shows.
func (t *trust) verify(raw [][]byte, _ [][]*x509.Certificate) error {
	if len(raw) == 0 {
		return errors.New("the server shows no certificate")
	}
	shown, err := x509.ParseCertificate(raw[0])
	if err != nil {
		return err
	}
	print, err := fingerprint.Fingerprint(shown, t.hash)
	if err != nil {
		return err
	}
	if strings.ToUpper(print) != t.promised {
		t.wrong = failure.New(failure.DTLS, "fingerprint", "The server's certificate has the fingerprint %.23s…, its answer promised %.23s….", strings.ToUpper(print), t.promised)
		return errors.New("wrong fingerprint")
	}
	return nil
}

// Handshake makes the handshake over pipe and keeps nothing of the connection but the keys: the connection costs 40 KB and three
// goroutines, and nothing more comes on it but what Afterwards answers.
func Handshake(ctx context.Context, pipe *Pipe, role Role, certificate Certificate, hashName, promised string) (Session, *failure.Failure) {
	hash, err := fingerprint.HashFromString(hashName)
	if err != nil {
		return Session{}, failure.New(failure.DTLS, "fingerprint", "The answer's fingerprint uses %q, which is not known.", hashName)
	}
	trusted := &trust{hash: hash, promised: promised}
	began := time.Now()
	connection, err := connect(pipe, role, certificate, trusted)
	if err != nil {
		return Session{}, failure.New(failure.DTLS, "handshake", "DTLS can't begin: %v.", err)
	}
	if err := connection.HandshakeContext(ctx); err != nil {
		f := explain(ctx, err, pipe, role, trusted, began)
		// It has failed already: what its close says adds nothing.
		_ = connection.Close()
		return Session{}, f
	}
	result, err := exportKeys(connection, role)
	pipe.mute()
	if closeErr := connection.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return Session{}, failure.New(failure.DTLS, "keys", "No SRTP keys came out of DTLS: %v.", err)
	}
	result.Farewell, result.Afterwards.last = pipe.captured()
	result.Afterwards.role = role
	return result, nil
}

func connect(pipe *Pipe, role Role, certificate Certificate, trusted *trust) (*dtls.Conn, error) {
	options := []dtls.Option{
		dtls.WithCertificates(certificate.tls),
		dtls.WithEllipticCurves(elliptic.P256), // SRS refuses a client that offers X25519 alone
		dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80),
		dtls.WithInsecureSkipVerify(true), // the fingerprint is what is trusted
		dtls.WithVerifyPeerCertificate(trusted.verify),
		dtls.WithFlightInterval(flightInterval),
	}
	if role == Client {
		client := make([]dtls.ClientOption, len(options))
		for i, option := range options {
			client[i] = option
		}
		return dtls.ClientWithOptions(pipe, pipe.peer, client...)
	}
	// ICE has shown that the peer is where it says, so a cookie would only cost a round trip.
	server := []dtls.ServerOption{dtls.WithClientAuth(dtls.RequireAnyClientCert), dtls.WithInsecureSkipVerifyHello(true)}
	for _, option := range options {
		server = append(server, option)
	}
	return dtls.ServerWithOptions(pipe, pipe.peer, server...)
}

// explain finds what a failed handshake failed of.
func explain(ctx context.Context, err error, pipe *Pipe, role Role, trusted *trust, began time.Time) *failure.Failure {
	description, alerted := pipe.alert()
	switch {
	case trusted.wrong != nil:
		return trusted.wrong
	case alerted:
		return failure.New(failure.DTLS, "alert-"+kebab(description.String()), "The server ended the DTLS handshake after %s with the alert %s.", failure.Elapsed(began), description)
	case errors.Is(ctx.Err(), context.Canceled):
		return failure.New(failure.DTLS, "cancelled", "The DTLS handshake with %s was given up after %s.", pipe.peer, failure.Elapsed(began))
	case ctx.Err() != nil:
		detail := fmt.Sprintf("The DTLS handshake with %s was not done after %s; the server had sent %d datagrams", pipe.peer, failure.Elapsed(began), pipe.received.Load())
		if garbage := pipe.garbage.Load(); garbage > 0 {
			detail += fmt.Sprintf(" and %d that are no DTLS", garbage)
		}
		if role == Server {
			detail += "; its answer says setup:active, so it was to begin"
		}
		return failure.New(failure.DTLS, "timeout", "%s.", detail)
	}
	return failure.New(failure.DTLS, "handshake", "The DTLS handshake failed after %s: %v.", failure.Elapsed(began), err)
}

func exportKeys(connection *dtls.Conn, role Role) (Session, error) {
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
	if err := config.ExtractSessionKeysFromDTLS(&state, role == Client); err != nil {
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
