package tcpreader

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"testing"
	"time"
)

// selfSigned is an untrusted certificate.
func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// connectTLS returns both sides of a TLS connection, the first not taken over yet.
func connectTLS(t *testing.T) (*tls.Conn, *tls.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	plain, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	socket, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	other := tls.Server(socket, &tls.Config{Certificates: []tls.Certificate{selfSigned(t)}})
	shaken := make(chan error, 1)
	go func() { shaken <- other.Handshake() }()
	connection := tls.Client(UnderTLS(plain), &tls.Config{InsecureSkipVerify: true})
	if err := errors.Join(connection.Handshake(), <-shaken); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	return connection, other
}

func TestTLSIsReadLikeAnyOther(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		connection, other := connectTLS(t)
		sent := bytes.Repeat([]byte("0123456789"), 20_000)
		if _, err := other.Write(sent[:1000]); err != nil {
			t.Fatal(err)
		}
		c := &streamRecorder{data: make([]byte, 300)} // read before the takeover; the rest is already decrypted in TLS
		if _, err := io.ReadFull(connection, c.data); err != nil {
			t.Fatal(err)
		}
		stream, err := streams.Take(connection, c)
		if err != nil {
			t.Fatal(err)
		}
		c.until(t, "the rest of the start", func() bool { return bytes.Equal(c.data, sent[:1000]) })
		if stream.RoundTrip() <= 0 {
			t.Log("this system does not report the round-trip time")
		}
		stream.Tune(1e6)
		for at := 1000; at < len(sent); at += 19_900 {
			if _, err := other.Write(sent[at:min(at+19_900, len(sent))]); err != nil {
				t.Fatal(err)
			}
		}
		c.until(t, "all of it", func() bool { return bytes.Equal(c.data, sent) })
		if err := stream.Send([]byte("thanks")); err != nil {
			t.Fatal(err)
		}
		answer := make([]byte, 6)
		if _, err := io.ReadFull(other, answer); err != nil || string(answer) != "thanks" {
			t.Errorf("%q, %v", answer, err)
		}
		if err := other.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		c.until(t, "the end", func() bool { return errors.Is(c.ended, io.EOF) })
		if err := errors.Join(stream.Close(false), stream.Close(false)); err != nil {
			t.Error(err)
		}
		if _, err := other.Read(answer); !errors.Is(err, io.EOF) {
			t.Errorf("the close_notify is missing: %v", err)
		}
	})
}

func TestDamagedTLSEndsTheStream(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		connection, other := connectTLS(t)
		c := &streamRecorder{}
		stream, err := streams.Take(connection, c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.NetConn().Write([]byte{23, 3, 3, 0, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}); err != nil {
			t.Fatal(err)
		}
		c.until(t, "the error", func() bool { return c.ended != nil && !errors.Is(c.ended, io.EOF) && len(c.data) == 0 })
		if err := stream.Close(true); err != nil {
			t.Error(err)
		}
	})
}

func TestATLSPeerThatAcceptsNoDataIsAnError(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		connection, _ := connectTLS(t)
		stream, err := streams.Take(connection, &streamRecorder{})
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, 1<<20)
		for i := 0; i < 100 && err == nil; i++ {
			err = stream.Send(data)
		}
		if !errors.Is(err, ErrFull) {
			t.Errorf("%v", err)
		}
		if err := stream.Close(true); err != nil {
			t.Error(err)
		}
	})
}
