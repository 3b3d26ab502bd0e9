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
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/whep/origintest"
)

// hangUp closes the connection after some bytes of an answer.
func hangUp(says string) func(http.ResponseWriter, *http.Request) bool {
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

// stall begins an answer and goes on when the client has given up.
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

// say answers each datagram with the same.
func say(datagrams ...[]byte) func([]byte, func([]byte)) bool {
	return func(_ []byte, reply func([]byte)) bool {
		for _, one := range datagrams {
			reply(one)
		}
		return true
	}
}

// short is what a stage may take where it is to run out. A busy machine must still get through the stages before.
const short = 4 * time.Second

// TestServersThatLie has a server that closes, stalls or lies at each step, beside one that does not: its viewer is not to notice.
func TestServersThatLie(t *testing.T) {
	loop, err := harvest.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := loop.Close(); err != nil {
			t.Error(err)
		}
	})
	good := newAudience(t, origintest.NewFull(t, origintest.Dialect{}).URL, on(loop))
	neighbour, f := good.come()
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
			lies    origintest.Lies
			stage   failure.Stage
			cause   string
			detail  string
			timeout time.Duration // 0: long
		}{
			{"HTTP closes", origintest.Lies{HTTP: hangUp("")}, failure.Signalling, "closed", "without an answer", 0},
			{"HTTP closes in the body", origintest.Lies{HTTP: hangUp("HTTP/1.1 201 Created\r\nContent-Length: 9999\r\n\r\nv=0\r\n")}, failure.Signalling, "closed", "in the middle", 0},
			{"HTTP stalls", origintest.Lies{HTTP: stall("")}, failure.Signalling, "timeout", "No answer", short},
			{"HTTP stalls in the body", origintest.Lies{HTTP: stall("v=0\r\n")}, failure.Signalling, "timeout", "in the middle", short},
			{"HTTP is something else", origintest.Lies{HTTP: hangUp("220 ftp ready\r\n")}, failure.Signalling, "http", "does not speak HTTP", 0},
			{"10 MB of an answer", origintest.Lies{Answer: func(s string) string { return s + strings.Repeat("a=x:y\r\n", 10<<20/7) }}, failure.Signalling, "answer-too-large", "65536", 0},
			{"zero bytes", origintest.Lies{Answer: replace("\r\n", "\x00\r\n")}, failure.Signalling, "not-sdp", "", 0},
			{"a page", origintest.Lies{Answer: always("<html>Welcome</html>")}, failure.Signalling, "not-sdp", "Welcome", 0},
			{"an empty answer", origintest.Lies{Answer: always("")}, failure.Signalling, "not-sdp", "", 0},
			{"an answer that is cut", origintest.Lies{Answer: func(s string) string { return s[:strings.Index(s, "m=video")+20] }}, failure.Signalling, "", "", 0},
			{"codecs that nobody asked for", origintest.Lies{Answer: replace("H264", "H999")}, failure.Signalling, "no-h264", "H999/90000", 0},
			{"no fingerprint", origintest.Lies{Answer: without("a=fingerprint")}, failure.Signalling, "no-fingerprint", "", 0},
			{"no ICE", origintest.Lies{Answer: without("a=ice-ufrag")}, failure.Signalling, "no-ice", "", 0},
			{"no candidate", origintest.Lies{Answer: without("a=candidate")}, failure.Signalling, "no-candidate", "", 0},
			{"another fingerprint", origintest.Lies{Answer: replace("a=fingerprint:sha-256 ", "a=fingerprint:sha-256 00:")}, failure.DTLS, "fingerprint", "promised 00:", 0},
			{"a closed port", origintest.Lies{Answer: replace("a=candidate:0 1 udp 2130706431 127.0.0.1 ", "a=candidate:0 1 udp 2130706431 127.0.0.1 1 typ host x ")}, failure.ICE, "refused", "refused", short},
			{"a closed port of a full agent", origintest.Lies{Answer: func(s string) string {
				return without("a=ice-lite")(replace("a=candidate:0 1 udp 2130706431 127.0.0.1 ", "a=candidate:0 1 udp 2130706431 127.0.0.1 1 typ host x ")(s))
			}}, failure.ICE, "refused", "asked once more", short},
			{"STUN is silent", origintest.Lies{STUN: say()}, failure.ICE, "timeout", "checks sent to 127.0.0.1:", short},
			{"STUN is garbage", origintest.Lies{STUN: say([]byte("\x01\x01garbage"), bytes.Repeat([]byte{1}, 1500))}, failure.ICE, "timeout", "not authentic", short},
			{"STUN is its own echo", origintest.Lies{STUN: func(data []byte, reply func([]byte)) bool { reply(data); return true }}, failure.ICE, "timeout", "not authentic", short},
			{"STUN with another password", origintest.Lies{Answer: replace("a=ice-pwd:", "a=ice-pwd:x")}, failure.ICE, "timeout", "", short},
			{"DTLS is silent", origintest.Lies{DTLS: say()}, failure.DTLS, "timeout", "0 datagrams", short},
			{"DTLS is garbage", origintest.Lies{DTLS: say([]byte{22}, []byte("\x16\xfe\xfdgarbage of some length"), bytes.Repeat([]byte{22}, 1500))}, failure.DTLS, "timeout", "no DTLS", short},
			{"DTLS ends with an alert", origintest.Lies{DTLS: say([]byte{21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 40})}, failure.DTLS, "alert-handshake-failure", "HandshakeFailure", 0},
			{"DTLS is closed", origintest.Lies{DTLS: say([]byte{21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0})}, failure.DTLS, "alert-close-notify", "CloseNotify", 0},
			{"nothing is sent", origintest.Lies{Mute: true}, failure.FirstPacket, "silent", "perhaps nobody publishes", short},
			{"other keys", origintest.Lies{WrongKeys: true}, failure.FirstPacket, "undecryptable", "none could be decrypted", short},
			{"other payload types", origintest.Lies{PayloadType: 96}, failure.FirstPacket, "payload-type", "", short},
			{"cut packets", origintest.Lies{Media: func(n uint32, packet []byte) [][]byte { return [][]byte{packet[:n%14], {0x80}, packet[:13+n%40]} }}, failure.FirstPacket, "", "", short},
			{"packets that lie about their size", origintest.Lies{Media: func(n uint32, packet []byte) [][]byte {
				bad := bytes.Clone(packet)
				bad[0] |= 0x1f // 15 sources and an extension that are not there
				return [][]byte{bad, append([]byte{0x80, 200, 0xff, 0xff}, packet...)}
			}}, failure.FirstPacket, "", "", short},
		} {
			// All at once, for most of them only wait.
			liars.Add(1)
			go func() {
				defer liars.Done()
				t.Run(test.name, func(t *testing.T) {
					o := origintest.NewLite(t, test.lies)
					timeout := test.timeout
					if timeout == 0 {
						timeout = patience
					}
					a := newAudience(t, o.URL, on(loop), stage(timeout))
					s, f := a.come()
					if f == nil {
						f = s.watch(1 << 60)
					}
					if f == nil || f.Stage != test.stage || test.cause != "" && f.Cause != test.cause || !strings.Contains(f.Detail, test.detail) {
						t.Errorf("%v, want %s %s", f, test.stage, test.cause)
					}
					if f != nil && (len(f.Detail) > 600 || !strings.HasSuffix(f.Detail, ".") && !strings.HasSuffix(f.Detail, "…")) {
						t.Errorf("no sentence: %q", f.Detail)
					}
					if err := s.leave(); err != nil && test.lies.HTTP == nil {
						t.Errorf("it did not leave: %v", err)
					}
					if o.Present() != 0 {
						t.Errorf("%d sessions are left", o.Present())
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

// TestAnAnswerThatIsCutAnywhere plays each tenth cut through the whole viewer; each byte is the parser's own test.
func TestAnAnswerThatIsCutAnywhere(t *testing.T) {
	cut := 0
	o := origintest.NewLite(t, origintest.Lies{Mute: true, Answer: func(answer string) string { return answer[:min(cut, len(answer))] }})
	a := newAudience(t, o.URL)
	for ; cut < 600; cut += 10 {
		s, f := a.come()
		if f == nil || f.Stage != failure.Signalling || f.Detail == "" {
			t.Errorf("cut at %d: %v", cut, f)
		}
		if err := s.leave(); err != nil {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	if o.Present() != 0 {
		t.Errorf("%d sessions are left", o.Present())
	}
}
