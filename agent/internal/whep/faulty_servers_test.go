package whep_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/testing/wheptest"
	"fullhouse/agent/internal/udpreader"
)

// closeConnection closes the connection after some bytes of a response.
func closeConnection(says string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		connection, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return false
		}
		_, _ = io.WriteString(connection, says)
		_ = connection.Close()
		return true
	}
}

// stall starts a response and continues when the client has given up.
func stall(says string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		if says != "" {
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, says)
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
		return true
	}
}

func always(answer string) func(string) string { return func(string) string { return answer } }

func replace(old, with string) func(string) string {
	return func(answer string) string { return strings.ReplaceAll(answer, old, with) }
}

func without(prefix string) func(string) string {
	return func(answer string) string {
		var kept []string
		for line := range strings.SplitSeq(answer, "\r\n") {
			if !strings.HasPrefix(line, prefix) {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "\r\n")
	}
}

// respondWith responds to each datagram with the same.
func respondWith(datagrams ...[]byte) func([]byte, func([]byte)) bool {
	return func(_ []byte, reply func([]byte)) bool {
		for _, one := range datagrams {
			reply(one)
		}
		return true
	}
}

// short is the timeout of a stage that is meant to expire. A busy machine must still complete the stages before.
const short = 4 * time.Second

// TestFaultyServers has servers that close, stall or misbehave at each step, beside a correct one, whose viewer must
// not be affected.
func TestFaultyServers(t *testing.T) {
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := loop.Close(); err != nil {
			t.Error(err)
		}
	})
	good := newAudience(t, wheptest.NewFull(t, wheptest.Dialect{}).URL, on(loop))
	neighbour, f := good.connectViewer()
	if f == nil {
		f = neighbour.watch(5)
	}
	if f != nil {
		t.Fatal(f)
	}
	t.Run("liars", func(t *testing.T) {
		var liars sync.WaitGroup
		for _, test := range []struct {
			name    string
			faults  wheptest.Faults
			stage   failure.Stage
			cause   string
			detail  string
			timeout time.Duration // 0: long
		}{
			{"HTTP closes", wheptest.Faults{HTTP: closeConnection("")}, failure.Signalling, "closed", "without a response", 0},
			{"HTTP closes in the body", wheptest.Faults{HTTP: closeConnection("HTTP/1.1 201 Created\r\nContent-Length: 9999\r\n\r\nv=0\r\n")}, failure.Signalling, "closed", "during its response", 0},
			{"HTTP stalls", wheptest.Faults{HTTP: stall("")}, failure.Signalling, "timeout", "No response", short},
			{"HTTP stalls in the body", wheptest.Faults{HTTP: stall("v=0\r\n")}, failure.Signalling, "timeout", "during its response", short},
			{"HTTP is something else", wheptest.Faults{HTTP: closeConnection("220 ftp ready\r\n")}, failure.Signalling, "not-http", "but not with HTTP", 0},
			{"10 MB of an answer", wheptest.Faults{Answer: func(s string) string { return s + strings.Repeat("a=x:y\r\n", 10<<20/7) }}, failure.Signalling, "answer-too-large", "65536", 0},
			{"zero bytes", wheptest.Faults{Answer: replace("\r\n", "\x00\r\n")}, failure.Signalling, "not-sdp", "", 0},
			{"a page", wheptest.Faults{Answer: always("<html>Welcome</html>")}, failure.Signalling, "not-sdp", "Welcome", 0},
			{"an empty answer", wheptest.Faults{Answer: always("")}, failure.Signalling, "not-sdp", "", 0},
			{"an answer that is cut", wheptest.Faults{Answer: func(s string) string { return s[:strings.Index(s, "m=video")+20] }}, failure.Signalling, "", "", 0},
			{"unrequested codecs", wheptest.Faults{Answer: replace("H264", "H999")}, failure.Signalling, "no-codec", "H999/90000", 0},
			{"no fingerprint", wheptest.Faults{Answer: without("a=fingerprint")}, failure.Signalling, "no-fingerprint", "", 0},
			{"no ICE", wheptest.Faults{Answer: without("a=ice-ufrag")}, failure.Signalling, "no-ice", "", 0},
			{"no candidate", wheptest.Faults{Answer: without("a=candidate")}, failure.Signalling, "no-candidate", "", 0},
			{"another fingerprint", wheptest.Faults{Answer: replace("a=fingerprint:sha-256 ", "a=fingerprint:sha-256 00:")}, failure.DTLS, "fingerprint", "its answer has 00:", 0},
			{"a closed port", wheptest.Faults{Answer: replace("a=candidate:0 1 udp 2130706431 127.0.0.1 ", "a=candidate:0 1 udp 2130706431 127.0.0.1 1 typ host x ")}, failure.ICE, "refused", "refused", short},
			{"a closed port of a full agent", wheptest.Faults{Answer: func(s string) string {
				return without("a=ice-lite")(replace("a=candidate:0 1 udp 2130706431 127.0.0.1 ", "a=candidate:0 1 udp 2130706431 127.0.0.1 1 typ host x ")(s))
			}}, failure.ICE, "refused", "probed again", short},
			{"STUN is silent", wheptest.Faults{STUN: respondWith()}, failure.ICE, "timeout", "checks sent to 127.0.0.1:", short},
			{"STUN is garbage", wheptest.Faults{STUN: respondWith([]byte("\x01\x01garbage"), bytes.Repeat([]byte{1}, 1500))}, failure.ICE, "timeout", "not authentic", short},
			{"STUN is its own echo", wheptest.Faults{STUN: func(data []byte, reply func([]byte)) bool { reply(data); return true }}, failure.ICE, "timeout", "not authentic", short},
			{"STUN with another password", wheptest.Faults{Answer: replace("a=ice-pwd:", "a=ice-pwd:x")}, failure.ICE, "timeout", "", short},
			{"DTLS is silent", wheptest.Faults{DTLS: respondWith()}, failure.DTLS, "timeout", "0 datagrams", short},
			{"DTLS is garbage", wheptest.Faults{DTLS: respondWith([]byte{22}, []byte("\x16\xfe\xfdgarbage of some length"), bytes.Repeat([]byte{22}, 1500))}, failure.DTLS, "timeout", "not DTLS", short},
			{"DTLS ends with an alert", wheptest.Faults{DTLS: respondWith([]byte{21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 40})}, failure.DTLS, "alert-handshake-failure", "HandshakeFailure", 0},
			{"DTLS is closed", wheptest.Faults{DTLS: respondWith([]byte{21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0})}, failure.DTLS, "alert-close-notify", "CloseNotify", 0},
			{"nothing is sent", wheptest.Faults{Mute: true}, failure.FirstPacket, "silent", "may not be published", short},
			{"other keys", wheptest.Faults{WrongKeys: true}, failure.FirstPacket, "undecryptable", "none could be decrypted", short},
			{"other payload types", wheptest.Faults{PayloadType: 96}, failure.FirstPacket, "payload-type", "", short},
			{"cut packets", wheptest.Faults{Media: func(n uint32, packet []byte) [][]byte { return [][]byte{packet[:n%14], {0x80}, packet[:13+n%40]} }}, failure.FirstPacket, "", "", short},
			{"packets with a wrong size", wheptest.Faults{Media: func(n uint32, packet []byte) [][]byte {
				bad := bytes.Clone(packet)
				bad[0] |= 0x1f // 15 sources and an extension that do not exist
				return [][]byte{bad, append([]byte{0x80, 200, 0xff, 0xff}, packet...)}
			}}, failure.FirstPacket, "", "", short},
		} {
			// All at once: most of them only wait.
			liars.Add(1)
			go func() {
				defer liars.Done()
				t.Run(test.name, func(t *testing.T) {
					o := wheptest.NewLite(t, test.faults)
					timeout := test.timeout
					if timeout == 0 {
						timeout = waitTimeout
					}
					a := newAudience(t, o.URL, on(loop), stage(timeout))
					s, f := a.connectViewer()
					if f == nil {
						f = s.watch(1 << 60)
					}
					if f == nil || f.Stage != test.stage || test.cause != "" && f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.detail) {
						t.Errorf("%v, want %s %s", f, test.stage, test.cause)
					}
					if f != nil && (len(f.Detail) > 600 || !strings.HasSuffix(f.Detail, ".") && !strings.HasSuffix(f.Detail, "…")) {
						t.Errorf("no sentence: %q", f.Detail)
					}
					if err := s.leave(); err != nil && test.faults.HTTP == nil {
						t.Errorf("Disconnect: %v", err)
					}
					if o.Present() != 0 {
						t.Errorf("%d sessions remain", o.Present())
					}
				})
			}()
		}
		liars.Wait()
	})
	before := neighbour.Read(time.Now())
	if f := neighbour.watch(before.Frames + 10); f != nil {
		t.Errorf("the neighbour failed: %v", f)
	}
	if reading := neighbour.Read(time.Now()); reading.Lost != 0 || reading.Damaged != 0 {
		t.Errorf("the neighbour lost packets: %+v", reading)
	}
	if err := neighbour.leave(); err != nil {
		t.Error(err)
	}
}

// TestATruncatedAnswer runs every tenth cut through a complete viewer; every byte is covered by the parser's
// own test.
func TestATruncatedAnswer(t *testing.T) {
	cut := 0
	o := wheptest.NewLite(t, wheptest.Faults{Mute: true, Answer: func(answer string) string { return answer[:min(cut, len(answer))] }})
	a := newAudience(t, o.URL)
	for ; cut < 600; cut += 10 {
		s, f := a.connectViewer()
		if f == nil || f.Stage != failure.Signalling || f.Detail == "" {
			t.Errorf("cut at %d: %v", cut, f)
		}
		if err := s.leave(); err != nil {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	if o.Present() != 0 {
		t.Errorf("%d sessions remain", o.Present())
	}
}
