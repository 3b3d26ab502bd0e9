package dtlssrtp

import (
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"

	"github.com/pion/dtls/v3/pkg/crypto/fingerprint"
	"github.com/pion/dtls/v3/pkg/crypto/selfsign"
)

// Certificate is shared by all viewers of this agent; a key pair each would only cost time.
type Certificate struct {
	tls         tls.Certificate
	Fingerprint string
}

// NewCertificate makes a P-256 key and a self-signed certificate.
func NewCertificate() (Certificate, error) {
	certificate, err := selfsign.GenerateSelfSigned()
	if err != nil {
		return Certificate{}, fmt.Errorf("creating the DTLS certificate failed: %w", err)
	}
	parsed, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		return Certificate{}, fmt.Errorf("creating the DTLS certificate failed: %w", err)
	}
	print, err := fingerprint.Fingerprint(parsed, crypto.SHA256)
	if err != nil {
		return Certificate{}, fmt.Errorf("computing the DTLS fingerprint failed: %w", err)
	}
	return Certificate{tls: certificate, Fingerprint: strings.ToUpper(print)}, nil
}
