package signalling

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"fullhouse/agent/internal/monotonic"
)

func identity(connection net.Conn) net.Conn { return connection }

func TestTheStepsToAnOpenConnectionAreTimed(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	address := net.JoinHostPort("localhost", port)
	client := NewClient()
	open := func(to string, config *tls.Config) Opened {
		t.Helper()
		var opening Opening
		connection, f := client.Connect(opening.In(context.Background()), to, config, identity)
		if f != nil {
			t.Fatal(f)
		}
		_ = connection.Close()
		return opening.Opened()
	}
	config := &tls.Config{RootCAs: roots, ServerName: "example.com"}
	before := monotonic.Nano()
	first := open(address, config)
	if first.NameAt < before || first.TCPAt < first.NameAt || first.TLSAt < first.TCPAt || monotonic.Nano() < first.TLSAt {
		t.Errorf("%+v", first)
	}
	if later := open(address, config); later.NameAt != 0 || later.TLSAt == 0 {
		t.Errorf("the name is resolved already, but %+v", later)
	}
	if plain := open(server.Listener.Addr().String(), nil); plain.NameAt != 0 || plain.TCPAt == 0 || plain.TLSAt != 0 {
		t.Errorf("%+v", plain)
	}
}

func TestARedirectDoesNotChangeTheStepsOfTheFirstConnection(t *testing.T) {
	var redirectedAt int64
	mux := http.NewServeMux()
	mux.HandleFunc("/first", func(w http.ResponseWriter, r *http.Request) {
		redirectedAt = monotonic.Nano()
		http.Redirect(w, r, "/second", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/second", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
	server := httptest.NewServer(mux)
	defer server.Close()
	endpoint, err := url.Parse(server.URL + "/first")
	if err != nil {
		t.Fatal(err)
	}
	var opening Opening
	if _, f := NewClient().Post(opening.In(context.Background()), endpoint, Identity{}, "v=0"); f != nil {
		t.Fatal(f)
	}
	if opened := opening.Opened(); opened.TCPAt == 0 || opened.TCPAt > redirectedAt || redirectedAt == 0 {
		t.Errorf("%+v, redirected at %d", opened, redirectedAt)
	}
}
