// Package dtlssrtp performs the DTLS handshake of a viewer and keeps only the SRTP keys and a close_notify.
package dtlssrtp

import (
	"context"
	"crypto"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/elliptic"
	"github.com/pion/dtls/v3/pkg/crypto/fingerprint"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// flightInterval is the first wait before a flight is retransmitted; 1 s, the library's, would make one lost datagram
// look like a slow server.
const flightInterval = 400 * time.Millisecond

// Role is which side of the handshake we are.
type Role uint8

// The roles. Client is for an offer with setup:active; Server is for an answer with setup:active to an offer with
// setup:actpass.
const (
	Client Role = iota
	Server
)

// Session is what remains of a DTLS connection once the keys are derived.
type Session struct {
	Profile srtp.ProtectionProfile
	Keys    srtp.SessionKeys
	// CloseNotify is the encrypted close_notify, kept to be sent when the viewer disconnects.
	CloseNotify []byte
	// PostHandshake handles later DTLS records.
	PostHandshake PostHandshake
}

// verifier is what a peer's certificate is compared with.
type verifier struct {
	hash     crypto.Hash
	expected string
	mismatch *failure.Failure
}

// verify is called by the library with the peer's certificates.
func (t *verifier) verify(raw [][]byte, _ [][]*x509.Certificate) error {
	if len(raw) == 0 {
		return errors.New("the server sent no certificate")
	}
	peer, err := x509.ParseCertificate(raw[0])
	if err != nil {
		return err
	}
	print, err := fingerprint.Fingerprint(peer, t.hash)
	if err != nil {
		return err
	}
	if strings.ToUpper(print) != t.expected {
		t.mismatch = failure.New(failure.DTLS, protocol.CauseFingerprint, "The server's certificate has the fingerprint %.23s…, its answer has %.23s….", strings.ToUpper(print), t.expected)
		return errors.New("wrong fingerprint")
	}
	return nil
}

// Handshake performs the handshake over pipe and keeps only the keys: the connection costs 40 KB and three goroutines,
// and receives nothing more except what PostHandshake handles.
func Handshake(ctx context.Context, pipe *Pipe, role Role, certificate Certificate, hashName, expected string) (Session, *failure.Failure) {
	hash, err := fingerprint.HashFromString(hashName)
	if err != nil {
		return Session{}, failure.New(failure.DTLS, protocol.CauseFingerprint, "The answer's fingerprint uses %q, which is not supported.", hashName)
	}
	verifier := &verifier{hash: hash, expected: expected}
	startTime := time.Now()
	connection, err := connect(pipe, role, certificate, verifier)
	if err != nil {
		return Session{}, failure.New(failure.DTLS, protocol.CauseHandshake, "Starting DTLS failed: %v.", err)
	}
	if err := connection.HandshakeContext(ctx); err != nil {
		f := explain(ctx, err, pipe, role, verifier, startTime)
		// It has failed already: the error of closing adds nothing.
		_ = connection.Close()
		return Session{}, f
	}
	result, err := exportKeys(connection, role)
	pipe.mute()
	if closeErr := connection.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return Session{}, failure.New(failure.DTLS, protocol.CauseKeys, "Deriving the SRTP keys failed: %v.", err)
	}
	result.CloseNotify, result.PostHandshake.last = pipe.captured()
	result.PostHandshake.role = role
	return result, nil
}

func connect(pipe *Pipe, role Role, certificate Certificate, verifier *verifier) (*dtls.Conn, error) {
	options := []dtls.Option{
		dtls.WithCertificates(certificate.tls),
		dtls.WithEllipticCurves(elliptic.P256), // SRS refuses a client that offers only X25519
		dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80),
		dtls.WithInsecureSkipVerify(true), // the fingerprint is verified instead
		dtls.WithVerifyPeerCertificate(verifier.verify),
		dtls.WithFlightInterval(flightInterval),
	}
	if role == Client {
		client := make([]dtls.ClientOption, len(options))
		for i, option := range options {
			client[i] = option
		}
		return dtls.ClientWithOptions(pipe, pipe.peer, client...)
	}
	// ICE has verified the peer's address, so a cookie would only cost a round trip.
	server := []dtls.ServerOption{dtls.WithClientAuth(dtls.RequireAnyClientCert), dtls.WithInsecureSkipVerifyHello(true)}
	for _, option := range options {
		server = append(server, option)
	}
	return dtls.ServerWithOptions(pipe, pipe.peer, server...)
}

// explain finds the reason of a failed handshake.
func explain(ctx context.Context, err error, pipe *Pipe, role Role, verifier *verifier, startTime time.Time) *failure.Failure {
	description, alerted := pipe.alert()
	switch {
	case verifier.mismatch != nil:
		return verifier.mismatch
	case alerted:
		return failure.New(failure.DTLS, protocol.AlertCause(int(description)), "The server ended the DTLS handshake after %s with alert %s.", failure.Elapsed(startTime), description)
	case errors.Is(ctx.Err(), context.Canceled):
		return failure.New(failure.DTLS, protocol.CauseCancelled, "The DTLS handshake with %s was cancelled after %s.", pipe.peer, failure.Elapsed(startTime))
	case ctx.Err() != nil:
		detail := fmt.Sprintf("The DTLS handshake with %s was not finished after %s; the server had sent %d datagrams", pipe.peer, failure.Elapsed(startTime), pipe.received.Load())
		if garbage := pipe.garbage.Load(); garbage > 0 {
			detail += fmt.Sprintf(" and %d that are not DTLS", garbage)
		}
		if role == Server {
			detail += "; its answer has setup:active, so it should have started"
		}
		return failure.New(failure.DTLS, protocol.CauseTimeout, "%s.", detail)
	}
	return failure.New(failure.DTLS, protocol.CauseHandshake, "The DTLS handshake failed after %s: %v.", failure.Elapsed(startTime), err)
}

func exportKeys(connection *dtls.Conn, role Role) (Session, error) {
	selected, ok := connection.SelectedSRTPProtectionProfile()
	if !ok {
		return Session{}, errors.New("the server selected no SRTP profile")
	}
	state, ok := connection.ConnectionState()
	if !ok {
		return Session{}, errors.New("the connection state is unknown")
	}
	config := srtp.Config{}
	switch selected {
	case dtls.SRTP_AEAD_AES_128_GCM:
		config.Profile = srtp.ProtectionProfileAeadAes128Gcm
	case dtls.SRTP_AES128_CM_HMAC_SHA1_80:
		config.Profile = srtp.ProtectionProfileAes128CmHmacSha1_80
	default:
		return Session{}, fmt.Errorf("the server selected SRTP profile %#x, which was not offered", uint16(selected))
	}
	if err := config.ExtractSessionKeysFromDTLS(&state, role == Client); err != nil {
		return Session{}, err
	}
	return Session{Profile: config.Profile, Keys: config.Keys}, nil
}
