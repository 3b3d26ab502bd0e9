package signalling

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
)

func TestRefusalsHaveTheirMeaning(t *testing.T) {
	for _, test := range []struct {
		name, body, token string
		status            int
		header            map[string]string
		want              []string
	}{
		{name: "MediaMTX has no such stream", status: 404, body: `{"error":"no one is publishing to path 'cam'"}`, want: []string{"404 Not Found", ": no one is publishing to path 'cam'; ", "not published yet"}},
		{name: "newer MediaMTX", status: 404, body: `{"status":"error","error":"no stream"}`, want: []string{": no stream;"}},
		{name: "a problem document", status: 422, body: `{"title":"Bad SDP","status":422}`, want: []string{"Bad SDP", "rejected the offer"}},
		{name: "no token", status: 401, want: []string{"401", "may require a bearer token"}},
		{name: "another token", status: 403, token: "secret", want: []string{"the bearer token was refused"}},
		{name: "wants to offer", status: 406, want: []string{"406", "may expect to send them"}},
		{name: "another type", status: 415, want: []string{"application/sdp"}},
		{name: "busy for seconds", status: 503, header: map[string]string{"Retry-After": "120"}, body: "full\r\nhouse.", want: []string{"503", "full house; the server limits requests or connections, or is overloaded; retry in 2m0s."}},
		{name: "busy until", status: 429, header: map[string]string{"Retry-After": time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}, want: []string{"retry in "}},
		{name: "busy, with an invalid header", status: 503, header: map[string]string{"Retry-After": "soon"}, want: []string{"503 Service Unavailable after"}},
		{name: "busy, with nginx's page", status: 503, body: nginxBusy, want: []string{"503 Service Unavailable after", "s; the server limits requests or connections, or is overloaded."}},
		{name: "a proxy without its server", status: 502, want: []string{"check the server behind it"}},
		{name: "forbidden without a token", status: 403, want: []string{"a header such as Origin", "the address of the tester"}},
		{name: "no content", status: 204, want: []string{"204", "an SDP answer was expected"}},
		{name: "moved to nowhere", status: 301, want: []string{"without a valid Location"}},
		{name: "MediaMTX without a codec that the viewer offers", status: 400, body: `{"status":"error","error":"codecs not supported by client"}`, want: []string{"400 Bad Request", ": codecs not supported by client."}},
		{name: "a login, which the node has not", status: 401, header: map[string]string{"WWW-Authenticate": `Bearer, Basic realm="mediamtx"`}, want: []string{"set user and httpPassword of the node"}},
		{name: "another refusal with an SDP", status: 409, body: "v=0\r\na=ice-pwd:hidden", want: []string{"409 Conflict after"}},
		{name: "see other", status: 303, header: map[string]string{"Location": "/x"}, want: []string{"303", "307 or 308"}},
		{name: "a redirect to nowhere", status: 307, want: []string{"without a valid Location"}},
		{name: "a redirect to a mail address", status: 308, header: map[string]string{"Location": "mailto:a@b"}, want: []string{"without a valid Location"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for name, value := range test.header {
					w.Header().Set(name, value)
				}
				w.WriteHeader(test.status)
				if test.status != 204 {
					_, _ = w.Write([]byte(test.body))
				}
			}))
			defer s.Close()
			_, f := post(t, s.URL+"/whep?stream=cam&token=hidden", test.token, waitTimeout)
			if f == nil || f.Stage != "signalling" || f.Cause.String() != fmt.Sprintf("http-%d", test.status) {
				t.Fatalf("%v", f)
			}
			for _, want := range test.want {
				if !strings.Contains(f.Detail, want) {
					t.Errorf("%q does not contain %q", f.Detail, want)
				}
			}
			if strings.Contains(f.Detail, "hidden") || !strings.Contains(f.Detail, "stream=cam&token=…") {
				t.Errorf("%q", f.Detail)
			}
		})
	}
}

// nginxBusy is the page of nginx 1.22.1.
const nginxBusy = "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n"

// TestServersThatEndInTheMiddle uses raw sockets, since net/http can't misbehave like this.
func TestServersThatEndInTheMiddle(t *testing.T) {
	const head = "HTTP/1.1 201 Created\r\nContent-Type: application/sdp\r\nContent-Length: 1000\r\nLocation: /x\r\n\r\nv=0\r\n"
	for _, test := range []struct {
		name, rawResponse string
		closes            bool
		cause, detail     string
	}{
		{"closes at once", "", true, "closed", "without a response"},
		{"closes in the head", head[:40], true, "closed", "without a response"},
		{"closes in the body", head, true, "closed", "during its response: 5 bytes"},
		{"stalls at once", "", false, "timeout", "No response"},
		{"stalls in the head", head[:40], false, "timeout", "No response"},
		{"stalls in the body", head, false, "timeout", "stopped sending during its response: 5 bytes"},
		{"is not HTTP", "SSH-2.0-OpenSSH_9\r\n", true, "not-http", "but not with HTTP; check the port, and whether it needs https"},
		{"has a head without end", "HTTP/1.1 201 Created\r\nX: " + strings.Repeat("x", 1<<20), false, "http", "exceeded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				connection, err := listener.Accept()
				if err != nil {
					return
				}
				defer func() { _ = connection.Close() }()
				buffer := make([]byte, 4096)
				_, _ = connection.Read(buffer)
				_, _ = connection.Write([]byte(test.rawResponse))
				if test.closes {
					return
				}
				for { // until the other side gives up
					if _, err := connection.Read(buffer); err != nil {
						return
					}
				}
			}()
			timeout := waitTimeout
			if test.cause == "timeout" {
				timeout = 300 * time.Millisecond
			}
			_, f := post(t, "http://"+listener.Addr().String()+"/whep", "", timeout)
			if f == nil || f.Stage != "signalling" || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.detail) {
				t.Errorf("%v, want %s and %q", f, test.cause, test.detail)
			}
			_ = listener.Close()
			<-done
		})
	}
}

func TestAddressesAreShownWithoutSecrets(t *testing.T) {
	for address, want := range map[string]string{
		"http://host/whep?app=live&stream=cam":                        "http://host/whep?app=live&stream=cam",
		"http://user:word@host/whep":                                  "http://…@host/whep",
		"http://host/x?action=delete&token=5&app=live&access_token=6": "http://host/x?action=delete&token=…&app=live&access_token=…",
	} {
		if got := describe(parse(t, address)); got != want {
			t.Errorf("%s is shown as %s", address, got)
		}
	}
}

// Icecast 2.4.4 responds with 403 when its limit of clients is reached, and MediaMTX 1.20.1 with 401 and these schemes.
func TestARefusalOfMediaNamesWhatMayHelp(t *testing.T) {
	target := parse(t, "http://127.0.0.1/demo.mp3")
	for status, want := range map[int]string{403: "limit of clients", 401: "a user and a password (Basic): send them as Authorization by headers", 503: "limits requests or connections"} {
		response := &http.Response{StatusCode: status, Status: fmt.Sprint(status), Header: http.Header{"Www-Authenticate": {`Basic realm="mediamtx"`}}}
		if f := MediaRefusal(failure.Signalling, response, target, target, Identity{}, 0); !strings.Contains(f.Detail, want) {
			t.Errorf("%q does not contain %q", f.Detail, want)
		}
	}
}
