package signalling

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestNoServerLeadsToAnotherOrigin covers each way in which a server can name another address, and what was requested
// there.
func TestNoServerLeadsToAnotherOrigin(t *testing.T) {
	gotRequests := make(chan string, 10)
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gotRequests <- r.Method + " " + r.URL.Path
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "the inner secret")
	}))
	defer inner.Close()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/location":
			w.Header().Set("Location", inner.URL+"/admin?token=hidden")
			w.WriteHeader(http.StatusCreated)
		case "/session":
			http.Redirect(w, r, inner.URL+"/admin", http.StatusTemporaryRedirect)
		default:
			http.Redirect(w, r, inner.URL+"/admin?token=hidden", http.StatusPermanentRedirect)
		}
	}))
	defer front.Close()
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	for path, leads := range map[string]string{"/location": "returned a session", "/redirect": "redirects to a resource"} {
		endpoint := parse(t, front.URL+path)
		_, f := NewClient().Post(ctx, endpoint, Identity{}, "the offer")
		want := front.URL + path + " " + leads + " on another origin, " + inner.URL + ", which is not followed; to allow that server, set allowCrossOrigin: true on the node."
		if f == nil || f.Cause.String() != "cross-origin" || f.Detail != want {
			t.Errorf("%s: %v", path, f)
		}
	}
	endpoint := parse(t, front.URL+"/whep")
	for _, session := range []string{front.URL + "/session", inner.URL + "/session"} {
		if err := NewClient().Delete(ctx, endpoint, parse(t, session), Identity{}); err == nil || !strings.Contains(err.Error(), "another origin") {
			t.Errorf("DELETE %s: %v", session, err)
		}
		if _, err := NewClient().Trickle(ctx, endpoint, parse(t, session), Identity{}, "", "a"); err == nil || !strings.Contains(err.Error(), "another origin") {
			t.Errorf("PATCH %s: %v", session, err)
		}
	}
	if len(gotRequests) > 0 {
		t.Errorf("the other origin received %q", <-gotRequests)
	}

	// If allowed, nothing from the other origin is shown.
	allowed := NewClient()
	allowed.AllowCrossOrigin = true
	_, f := allowed.Post(ctx, endpoint, Identity{}, "the offer")
	if f == nil || f.Cause.String() != "http-418" || strings.Contains(f.Detail, "secret") {
		t.Errorf("%v", f)
	}
	err := allowed.Delete(ctx, endpoint, parse(t, inner.URL+"/session"), Identity{})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if got := []string{<-gotRequests, <-gotRequests}; !slices.Equal(got, []string{"POST /admin", "DELETE /session"}) {
		t.Errorf("received %q", got)
	}
}

// TestInvalidHTTPIsNotQuoted: net/http adds the first line of an invalid response to its error.
func TestInvalidHTTPIsNotQuoted(t *testing.T) {
	for _, rawResponse := range []string{"SSH-2.0-secret\r\n", "HTTP/1.1 200 OK\r\nsecret\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: secret\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: secret\r\n\r\n"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				connection, err := listener.Accept()
				if err != nil {
					return
				}
				_ = connection.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
				_, _ = io.Copy(io.Discard, connection)
				_, _ = io.WriteString(connection, rawResponse)
				_ = connection.Close()
			}
		}()
		address := "http://" + listener.Addr().String() + "/whep"
		_, f := post(t, address, "", waitTimeout)
		if f == nil || strings.Contains(f.Detail, "secret") || !strings.Contains(f.Detail, "not with HTTP") {
			t.Errorf("%q: %v", rawResponse, f)
		}
		err = NewClient().Delete(context.Background(), parse(t, address), parse(t, address), Identity{})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", rawResponse, err)
		}
		_ = listener.Close()
	}
}
