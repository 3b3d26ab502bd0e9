// Package trust decides which certificates of servers the agent accepts. It has the only TLS configurations of clients.
package trust

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync"
)

// CAVariable names the environment variable with a file of further certificate authorities (PEM). Those of the system
// remain trusted. The console, a program of Node.js, reads the same variable.
const CAVariable = "NODE_EXTRA_CA_CERTS"

// Config is the TLS configuration of a client, whose server name the caller sets. With acceptsAny it accepts every
// certificate, as a plan requests by selfSigned.
func Config(acceptsAny bool) *tls.Config {
	if acceptsAny {
		return &tls.Config{InsecureSkipVerify: true}
	}
	roots, _ := authorities() // reported once, by Problem
	return &tls.Config{RootCAs: roots}
}

// Problem is why further authorities could not be added; nil if none are configured.
func Problem() error {
	_, err := authorities()
	return err
}

// authorities are those of the system and of the variable; nil for those of the system alone.
var authorities = sync.OnceValues(func() (*x509.CertPool, error) { return read(os.Getenv("NODE_EXTRA_CA_CERTS")) })

func read(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the certificate authorities of %s were not added: %w", CAVariable, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // without any of the system, those of the file still count
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("the certificate authorities of %s were not added: %s has no certificate in PEM", CAVariable, path)
	}
	return pool, nil
}

// Explain is why a TLS handshake of a client failed, and the setting that helps, as a part of a sentence.
func Explain(err error) string {
	const toTrust = "to trust it, set selfSigned: true on the node"
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown): // which lists the authorities that crypto/x509 tried: the certificate itself
		return fmt.Sprintf("the certificate is self-signed, or of an authority that this machine does not trust; %s, or name its authority's file in %s on this machine", toTrust, CAVariable)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("%v; renew it, compare the clocks of both machines, or, %s", err, toTrust)
	case errors.As(err, &name):
		return fmt.Sprintf("%v; use the name in the certificate, or, %s", err, toTrust)
	case errors.As(err, &record):
		return "the port does not speak TLS; use the address without TLS (http, ws or rtmp), or the port for TLS"
	}
	return err.Error()
}
