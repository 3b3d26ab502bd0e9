package signalling

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
)

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func post(t *testing.T, address, token string, timeout time.Duration) (Exchanged, *failure.Failure) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return signallerFor(address).Post(ctx, parse(t, address), Identity{Token: token}, "the offer")
}

// signallerFor allows other origins where the path requests it.
func signallerFor(address string) *Client {
	s := NewClient()
	s.AllowCrossOrigin = strings.HasSuffix(address, "/absolute") || strings.HasSuffix(address, "/elsewhere")
	return s
}

// server has the dialects of WHEP servers, one per path.
func server(t *testing.T) *httptest.Server {
	t.Helper()
	created := func(w http.ResponseWriter, location string) {
		if location != "" {
			w.Header().Set("Location", location)
		}
		w.Header().Set("ETag", `"x"`)
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "the answer")
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		created(w, "/with?token="+r.Header.Get("Authorization"))
	}))
	t.Cleanup(other.Close)
	mux := http.NewServeMux()
	mux.HandleFunc("/relative", func(w http.ResponseWriter, _ *http.Request) { created(w, "session/7") })
	mux.HandleFunc("/deep/rooted", func(w http.ResponseWriter, _ *http.Request) { created(w, "/session/7?secret=1") })
	mux.HandleFunc("/absolute", func(w http.ResponseWriter, _ *http.Request) { created(w, "http://192.0.2.1:99/x") })
	mux.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { created(w, "") })
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		created(w, "/"+r.Method+"|"+r.Header.Get("Content-Type")+"|"+r.Header.Get("Authorization")+"|"+string(body))
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/echo", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusPermanentRedirect)
	})
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round", http.StatusPermanentRedirect)
	})
	mux.HandleFunc("/found", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/echo", http.StatusFound) })
	mux.HandleFunc("/conflict", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy\nhere", http.StatusConflict) })
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) })
	mux.HandleFunc("/closed", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server would not notice that the client gave up
		<-r.Context().Done()
	})
	mux.HandleFunc("/gone", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestDialectsOfTheLocation(t *testing.T) {
	s := server(t)
	for path, want := range map[string]string{
		"/relative": s.URL + "/session/7", "/deep/rooted": s.URL + "/session/7?secret=1", "/absolute": "http://192.0.2.1:99/x", "/none": "",
	} {
		result, f := post(t, s.URL+path, "", 10*time.Second)
		if f != nil || result.Body != "the answer" {
			t.Errorf("%s: %+v, %v", path, result, f)
			continue
		}
		if got := result.Session; got == nil && want != "" || got != nil && got.String() != want {
			t.Errorf("%s: the session is %v, want %s", path, got, want)
		}
	}
}

func TestRedirectsKeepTheOfferAndTheTokenOnTheSameHostOnly(t *testing.T) {
	s := server(t)
	for path, want := range map[string]string{
		"/echo": "POST|application/sdp|Bearer secret|the offer", "/found": "POST|application/sdp|Bearer secret|the offer", "/moved": "POST|application/sdp|Bearer secret|the offer",
	} {
		result, f := post(t, s.URL+path, "secret", 10*time.Second)
		if f != nil || strings.TrimPrefix(result.Session.Path, "/") != want {
			t.Errorf("%s: %v, %v", path, result.Session, f)
		}
	}
	result, f := post(t, s.URL+"/elsewhere", "secret", 10*time.Second)
	if f != nil || result.Session.Query().Get("token") != "" {
		t.Errorf("another host received the token: %v, %v", result.Session, f)
	}
}

func TestSignallingFailuresNameStageAndCause(t *testing.T) {
	s := server(t)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(secure.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closedPort := "http://" + closed.Addr().String()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts and never responds
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	for _, test := range []struct {
		name, address string
		stage         failure.Stage
		cause, detail string
		timeout       time.Duration
	}{
		{"no such path", s.URL + "/none-such", failure.Signalling, "http-404", "404", 10 * time.Second},
		{"conflict", s.URL + "/conflict", failure.Signalling, "http-409", "busy here", 10 * time.Second},
		{"server error", s.URL + "/broken", failure.Signalling, "http-500", "oops", 10 * time.Second},
		{"redirects without end", s.URL + "/round", failure.Signalling, "redirects", "more than 5", 10 * time.Second},
		{"closed without a response", s.URL + "/closed", failure.Signalling, "closed", "without a response", 10 * time.Second},
		{"no answer in time", s.URL + "/slow", failure.Signalling, "timeout", "", 100 * time.Millisecond},
		{"closed port", closedPort, failure.TCP, "refused", "refused", 10 * time.Second},
		{"not trusted", secure.URL, failure.TLS, "certificate", "self-signed, or of an authority", 10 * time.Second},
		{"no TLS there", strings.Replace(s.URL, "http:", "https:", 1), failure.TLS, "handshake", "the port does not speak TLS; use", 10 * time.Second},
		{"TLS without a response", "https://" + silent.Addr().String(), failure.TLS, "timeout", "", 100 * time.Millisecond},
	} {
		_, f := post(t, test.address, "", test.timeout)
		if f == nil || f.Stage != test.stage || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.detail) {
			t.Errorf("%s: %v, want %s %s", test.name, f, test.stage, test.cause)
		}
	}
}

func TestANameThatDoesNotExistFailsAtItsStage(t *testing.T) {
	if _, f := post(t, "http://no-such-host.invalid/whep", "", time.Second); f == nil || f.Stage != failure.Name {
		t.Errorf("%v", f)
	}
}

func TestDelete(t *testing.T) {
	s := server(t)
	signaller, endpoint := NewClient(), parse(t, s.URL)
	for path, ok := range map[string]bool{"/echo": true, "/gone": true, "/none-such": true, "/broken": false, "/closed": false} {
		if err := signaller.Delete(context.Background(), endpoint, parse(t, s.URL+path), Identity{}); (err == nil) != ok {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// certified serves TLS with a certificate of an authority that is trusted here.
func certified(t *testing.T, of x509.Certificate) (address string, authority *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of.SerialNumber, of.NotBefore, of.IsCA, of.BasicConstraintsValid = big.NewInt(1), time.Now().Add(-48*time.Hour), true, true
	raw, err := x509.CreateCertificate(rand.Reader, &of, &of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	authority = x509.NewCertPool()
	authority.AddCert(parsed)
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String(), authority
}

func TestACertificateThatIsRefusedNamesTheSettingThatHelps(t *testing.T) {
	loopback := []net.IP{net.IPv4(127, 0, 0, 1)}
	for _, test := range []struct {
		name string
		of   x509.Certificate
		want []string
	}{
		{"expired", x509.Certificate{NotAfter: time.Now().Add(-24 * time.Hour), IPAddresses: loopback}, []string{"expired", "renew it", "selfSigned: true"}},
		{"of another name", x509.Certificate{NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"other.test"}}, []string{"127.0.0.1", "use the name in the certificate", "selfSigned: true"}},
	} {
		address, authority := certified(t, test.of)
		plain, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewClient().secure(context.Background(), plain, address, &tls.Config{RootCAs: authority})
		var staged *stageError
		if !errors.As(err, &staged) || staged.failure.Cause.String() != "certificate" {
			t.Fatalf("%s: %v", test.name, err)
		}
		for _, want := range test.want {
			if !strings.Contains(staged.failure.Detail, want) {
				t.Errorf("%s: %q does not contain %q", test.name, staged.failure.Detail, want)
			}
		}
	}
}
