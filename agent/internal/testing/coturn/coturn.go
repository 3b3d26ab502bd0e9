// Package coturn starts the real TURN server coturn on loopback for a test.
package coturn

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// The credentials of a server without a shared secret.
const (
	User     = "tester"
	Password = "p4ss word"
)

// Server is a running coturn, for UDP, TCP and TLS on one port each.
type Server struct {
	Port, TLSPort int
	// TLS trusts the server's certificate.
	TLS *tls.Config
	// Kill ends it at once, before the test ends.
	Kill func()

	log string
}

const startTimeout = 20 * time.Second

// Start starts a server with further options, such as --user-quota=1. It skips the test where coturn is not installed.
func Start(t testing.TB, options ...string) *Server {
	t.Helper()
	program, err := exec.LookPath("turnserver")
	if err != nil {
		t.Skip("coturn is not installed: apt-get install coturn")
	}
	folder := t.TempDir()
	s := &Server{Port: freePort(t), TLSPort: freePort(t)}
	s.TLS, s.log = certificate(t, folder), filepath.Join(folder, "log")
	command := exec.Command(program, append([]string{"-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--allow-loopback-peers",
		fmt.Sprint("--listening-port=", s.Port), fmt.Sprint("--tls-listening-port=", s.TLSPort), "--fingerprint", "--no-cli", "--no-dtls",
		"--realm=example.org", "--log-file=" + s.log, "--simple-log", "--no-stdout-log", "--verbose", "--relay-threads=1",
		"--db=" + filepath.Join(folder, "db"), "--pidfile=" + filepath.Join(folder, "pid"),
		"--cert=" + filepath.Join(folder, "cert.pem"), "--pkey=" + filepath.Join(folder, "key.pem")}, options...)...)
	command.Dir = folder
	command.SysProcAttr = endsWithTest
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s.Kill = sync.OnceFunc(func() {
		_ = command.Process.Kill() // no error matters: it ends in any case
		_ = command.Wait()
	})
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("coturn: %s", s.text())
		}
	})
	for deadline := time.Now().Add(startTimeout); ; time.Sleep(10 * time.Millisecond) {
		connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.Port))
		if err == nil {
			_ = connection.Close()
			return s
		}
		if time.Now().After(deadline) {
			t.Fatalf("coturn did not start: %v\n%s", err, s.text())
		}
	}
}

// Users are the options for the one user.
func Users() []string { return []string{"--lt-cred-mech", "--user=" + User + ":" + Password} }

// Secret are the options for temporary credentials from a shared secret.
func Secret(secret string) []string {
	return []string{"--use-auth-secret", "--static-auth-secret=" + secret}
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func certificate(t testing.TB, folder string) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "turn"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	data, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: data}, "key.pem": {Type: "EC PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(data)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(parsed)
	return &tls.Config{RootCAs: trusted}
}

func (s *Server) text() string {
	data, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

var (
	allocated = regexp.MustCompile(`ALLOCATE processed, success`)
	ended     = regexp.MustCompile(`peer usage: realm=<[^>]*>, username=<[^>]+>, rp=(\d+), rb=(\d+), sp=(\d+), sb=(\d+)`)
)

// Counts are the server's own figures, as it logs them.
type Counts struct {
	Allocations int
	// Sessions with an allocation that ended, and what their peers sent to and received from the relay.
	Ended                        int
	PeerPackets, PeerBytes       int
	ToPeersPackets, ToPeersBytes int
}

// Counts reads them.
func (s *Server) Counts() (c Counts) {
	text := s.text()
	c.Allocations = len(allocated.FindAllString(text, -1))
	for _, found := range ended.FindAllStringSubmatch(text, -1) {
		value := func(i int) int { n, _ := strconv.Atoi(found[i]); return n }
		c.Ended++
		c.PeerPackets, c.PeerBytes = c.PeerPackets+value(1), c.PeerBytes+value(2)
		c.ToPeersPackets, c.ToPeersBytes = c.ToPeersPackets+value(3), c.ToPeersBytes+value(4)
	}
	return c
}
