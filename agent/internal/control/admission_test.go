package control

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/admission"
)

// flood opens connections that send a text and stay open.
func flood(t *testing.T, address, text string, count int) []net.Conn {
	t.Helper()
	all := make([]net.Conn, 0, count)
	for range count {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = conn.Write([]byte(text)) // it may be closed already
		all = append(all, conn)
	}
	return all
}

// open counts the connections that the other side has not closed.
func open(all []net.Conn) int {
	count := 0
	for _, conn := range all {
		_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
		for {
			_, err := conn.Read(make([]byte, 4096))
			if err == nil {
				continue
			}
			if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
				count++
			}
			break
		}
	}
	return count
}

func TestConnectionsWithoutTheTokenAreClosedAndLeaveTheConsoleItsPlace(t *testing.T) {
	for name, text := range map[string]string{
		"refused":     "GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n",
		"elsewhere":   "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"half":        "GET /v1 HTTP/1.1\r\nHo",
		"silent":      "",
		"huge":        "GET /v1 HTTP/1.1\r\nA: " + strings.Repeat("a", 64<<10),
		"no proof":    "GET /v1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Fullhouse " + strings.Repeat("0", 64) + "\r\n\r\n",
		"a long body": "GET /v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			a := startAgent(t, func(c *Config) {
				c.IdleTimeout, c.SampleEvery, c.AdmissionTimeout = timeout, 5*time.Millisecond, time.Second
			})
			console := a.dial()
			console.call("hello", greeting)
			all := flood(t, a.Listening().Address, text, 200)
			if f := a.dial().call("hello", greeting); !f.OK {
				t.Errorf("a new console: %+v", f)
			}
			for deadline := time.Now().Add(timeout); open(all) > maxWaiting; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%d of 200 stay open", open(all))
				}
			}
			for {
				f, err := console.read()
				if err != nil {
					t.Fatal(err)
				}
				if f.Event != nil && strings.Contains(f.Event.Message, "connections without the token were refused in the last minute") {
					break
				}
			}
			for deadline := time.Now().Add(timeout); open(all) > 0; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%d of 200 stay open", open(all))
				}
			}
		})
	}
}

func TestBothSidesProveThatTheyKnowTheToken(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.IdleTimeout = timeout })
	dial := func(handshake Handshake) (*websocket.Conn, http.Header) {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		socket, response, err := websocket.Dial(ctx, "ws://"+a.Listening().Address+"/v1", &websocket.DialOptions{HTTPHeader: handshake.Header()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = socket.CloseNow() })
		return socket, response.Header
	}
	answer := func(socket *websocket.Conn, frame string) *caller {
		if err := socket.Write(context.Background(), websocket.MessageText, []byte(frame)); err != nil {
			t.Fatal(err)
		}
		return &caller{Conn: socket, t: t}
	}

	right := NewHandshake(token)
	if strings.Contains(right.Header().Get("Authorization"), token) {
		t.Error("the token is sent")
	}
	socket, header := dial(right)
	frame, err := right.Answer(header)
	if err != nil {
		t.Fatal(err)
	}
	if f := answer(socket, frame).call("hello", greeting); !f.OK {
		t.Errorf("%+v", f)
	}

	wrong := NewHandshake("another-token-0123456789")
	_, header = dial(wrong)
	if _, err := wrong.Answer(header); err == nil {
		t.Error("the agent proved a token that it does not know")
	}
	// What the agent has sent is not the proof of a console, and the proof of one connection is not that of another.
	agentNonce, agentProof, _ := strings.Cut(header.Get(proofHeader), " ")
	for _, frame := range []string{`{"type":"proof","proof":"` + agentProof + `"}`, `{"type":"proof","proof":"` + proofOf(token, consoleSide, wrong.nonce, agentNonce) + `"}`,
		frame, `{"type":"request","id":1,"call":"hello"}`, `{}`, ``} {
		socket, _ := dial(NewHandshake(token))
		if f, err := answer(socket, frame).read(); err == nil {
			t.Errorf("%s is answered with %+v", frame, f)
		}
	}
}

func TestAReadinessProbeIsNoEvent(t *testing.T) {
	var r refusals
	for at := range 120 { // a probe every 10 s
		refused := admission.Refusals{}
		if at%10 == 0 {
			refused.Count = 1
		}
		if event, any := r.note(time.Duration(at)*time.Second, refused); any {
			t.Fatalf("after %d s: %+v", at, event)
		}
	}
}

func TestRefusedConnectionsAreReportedOncePerMinute(t *testing.T) {
	var r refusals
	var messages []string
	for at := range 150 {
		refused := admission.Refusals{Count: 10, Users: map[uint32]int{1001: 10}}
		if at >= 90 {
			refused = admission.Refusals{}
		}
		if event, any := r.note(time.Duration(at)*time.Second, refused); any {
			messages = append(messages, event.Message)
		}
	}
	want := []string{"20 connections", "600 connections", "280 connections"}
	if len(messages) != len(want) {
		t.Fatalf("%q", messages)
	}
	for i, start := range want {
		if !strings.HasPrefix(messages[i], start) || !strings.Contains(messages[i], "uid 1001") {
			t.Errorf("%q, want %q", messages[i], start)
		}
	}
}

func TestARefusalIsDeliveredBeforeTheConnectionCloses(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.IdleTimeout = timeout })
	conn := flood(t, a.Listening().Address, "GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n", 1)[0]
	_ = conn.SetReadDeadline(time.Now().Add(timeout))
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != http.StatusUnauthorized || !response.Close {
		t.Fatalf("%+v, %v", response, err)
	}
	_ = response.Body.Close()
}
