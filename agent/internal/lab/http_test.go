package lab

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
)

// chromiumOffer has the shape of Chromium's for two recvonly transceivers, reduced to one example of each kind of line.
const chromiumOffer = `v=0
o=- 4611731400430051336 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0 1
a=extmap-allow-mixed
a=msid-semantic: WMS
m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8
c=IN IP4 0.0.0.0
a=rtcp:9 IN IP4 0.0.0.0
a=ice-ufrag:Ty4k
a=ice-pwd:a6hWyQGqFGQHhQVpA9e0WBnA
a=ice-options:trickle
a=fingerprint:sha-256 0F:74:31:25:CB:A2:13:EC:28:6F:6D:2C:61:FF:5D:C2:BC:B9:DB:3D:98:14:8D:1A:BB:EA:33:0C:A4:60:A8:8E
a=setup:actpass
a=mid:0
a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
a=recvonly
a=rtcp-mux
a=rtpmap:111 opus/48000/2
a=rtcp-fb:111 transport-cc
a=fmtp:111 minptime=10;useinbandfec=1
a=rtpmap:63 red/48000/2
a=rtpmap:9 G722/8000
m=video 9 UDP/TLS/RTP/SAVPF 96 97 102 108 127 125
c=IN IP4 0.0.0.0
a=rtcp:9 IN IP4 0.0.0.0
a=ice-ufrag:Ty4k
a=ice-pwd:a6hWyQGqFGQHhQVpA9e0WBnA
a=ice-options:trickle
a=fingerprint:sha-256 0F:74:31:25:CB:A2:13:EC:28:6F:6D:2C:61:FF:5D:C2:BC:B9:DB:3D:98:14:8D:1A:BB:EA:33:0C:A4:60:A8:8E
a=setup:actpass
a=mid:1
a=extmap:14 urn:ietf:params:rtp-hdrext:toffset
a=recvonly
a=rtcp-mux
a=rtcp-rsize
a=rtpmap:96 VP8/90000
a=rtcp-fb:96 goog-remb
a=rtcp-fb:96 nack
a=rtcp-fb:96 nack pli
a=rtpmap:97 rtx/90000
a=fmtp:97 apt=96
a=rtpmap:102 H264/90000
a=rtcp-fb:102 nack
a=rtcp-fb:102 nack pli
a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f
a=rtpmap:108 H264/90000
a=rtcp-fb:108 nack
a=fmtp:108 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f
a=rtpmap:127 H264/90000
a=rtcp-fb:127 goog-remb
a=rtcp-fb:127 transport-cc
a=rtcp-fb:127 ccm fir
a=rtcp-fb:127 nack
a=rtcp-fb:127 nack pli
a=fmtp:127 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
a=rtpmap:125 rtx/90000
a=fmtp:125 apt=127
`

func TestRequestsThatCantBeServedGetASentence(t *testing.T) {
	lab, _ := startLab(t, 0)
	publishSample(t, lab, "cam")
	base := "http://" + lab.HTTP()
	vp8Only := strings.NewReplacer("H264/90000", "VP9/90000", "opus/48000/2", "PCMU/8000").Replace(chromiumOffer)
	for name, c := range map[string]struct {
		method, path, contentType, body string
		status                          int
		wantText                        string
	}{
		"unknown stream":         {"POST", "/whep/nope", typeSDP, chromiumOffer, 404, `Stream "nope" does not exist; available: cam.`},
		"no SDP type":            {"POST", "/whep/cam", "text/plain", chromiumOffer, 415, "application/sdp"},
		"nonsense":               {"POST", "/whep/cam", typeSDP, "hello", 400, "not a session description"},
		"nothing":                {"POST", "/whep/cam", typeSDP, "", 400, "not a session description"},
		"too much":               {"POST", "/whep/cam", typeSDP, strings.Repeat("x", maxOfferBytes+1), 400, "Reading the offer failed"},
		"no codec":               {"POST", "/whep/cam", typeSDP, vp8Only, 406, "H.264"},
		"publish a bad name":     {"POST", "/whip/a%01b", typeSDP, chromiumOffer, 400, "control character, U+0001"},
		"publish a taken name":   {"POST", "/whip/cam", typeSDP, chromiumOffer, 409, `Stream "cam" exists already`},
		"publish nonsense":       {"POST", "/whip/new", typeSDP, "hello", 400, "Invalid offer"},
		"publish nothing to see": {"POST", "/whip/new", typeSDP, chromiumOffer, 406, "sends none"},
		"unknown session":        {"DELETE", "/whep/cam/123", "", "", 404, "Session not found"},
		"a sample has no WHIP":   {"DELETE", "/whip/cam/", "", "", 404, ""},
		"trickle is tolerated":   {"PATCH", "/whep/cam/123", "application/trickle-ice-sdpfrag", "a=candidate", 204, ""},
	} {
		status, _, text := request(t, c.method, base+c.path, c.contentType, c.body)
		if status != c.status || !strings.Contains(text, c.wantText) {
			t.Errorf("%s: %d %q, want %d with %q", name, status, text, c.status, c.wantText)
		}
	}
	if left := lab.Remaining(); left != 0 {
		t.Errorf("%d sessions were opened", left)
	}
	if streams := lab.list(); len(streams) != 1 {
		t.Errorf("%d streams, want the sample only", len(streams))
	}
}

func TestTheFrontPageDescribesTheLab(t *testing.T) {
	lab, _ := startLab(t, 0)
	publishSample(t, lab, "cam")
	status, _, text := request(t, http.MethodGet, "http://"+lab.HTTP()+"/", "", "")
	for _, part := range []string{"not a media server", "loopback", "cam", "426x240", "sample-240p"} {
		if status != http.StatusOK || !strings.Contains(text, part) {
			t.Errorf("the front page (%d) lacks %q: %s", status, part, text)
		}
	}
}

func TestConnectionsThatStayOpenLeavePlaceForViewersAndAreReported(t *testing.T) {
	lab, recorded := startLab(t, 0)
	publishSample(t, lab, "cam")
	held := make([]net.Conn, 0, connectionLimits.Waiting+40)
	for range cap(held) {
		conn, err := net.Dial("tcp", lab.HTTP())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "POST /whep/cam HTTP/1.1\r\nHo") // it may be closed already
		held = append(held, conn)
	}
	if status, _, text := request(t, "POST", "http://"+lab.HTTP()+"/whep/cam", typeSDP, chromiumOffer); status != http.StatusCreated {
		t.Errorf("%d %s", status, text)
	}
	for at := range 40 {
		_ = held[at].SetReadDeadline(time.Now().Add(4 * time.Second)) // before its header is late
		if _, err := held[at].Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			t.Fatalf("connection %d stays open: %v", at, err)
		}
	}
	lab.Sample(protocol.ProcessSample{}, time.Second)
	if !recorded.has(string(protocol.EventWarning), "") {
		t.Error("no event names the connections")
	}
}

func TestInvalidCallsAreRefusedByCode(t *testing.T) {
	lab, _ := startLab(t, 0)
	publishSample(t, lab, "cam")
	for _, c := range []struct{ call, params, code string }{
		{"lab.publish-sample", `{"stream":"cam","sample":"sample-240p"}`, "stream-exists"},
		{"lab.publish-sample", `{"stream":"two","sample":"sample-8k"}`, "no-sample"},
		{"lab.publish-sample", `{"stream":"a/../b","sample":"sample-240p"}`, "bad-request"},
		{"lab.publish-sample", `{"stream":"two","sample":"../lab/sample-240p"}`, "bad-request"},
		{"lab.publish-sample", `{"strem":"two"}`, "bad-request"},
		{"lab.unpublish", `{"stream":"nope"}`, "no-stream"},
		{"lab.conditions", `{"stream":"nope"}`, "no-stream"},
		{"lab.conditions", `{"stream":"cam","lossPercent":101}`, "bad-request"},
		{"lab.streams", `{"all":true}`, "bad-request"},
		{"lab.dance", `{}`, "unknown-call"},
	} {
		_, err := lab.Call(t.Context(), c.call, json.RawMessage(c.params))
		var refusal *control.Error
		if !errors.As(err, &refusal) || refusal.Code != c.code {
			t.Errorf("%s %s: %v, want code %s", c.call, c.params, err, c.code)
		}
	}
	if _, err := lab.Call(t.Context(), "lab.streams", nil); err != nil {
		t.Error(err)
	}
}

func TestInvalidAddressesAreOneSentence(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	takenUDP, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer takenUDP.Close()
	if _, err := Start(Config{HTTP: "0.0.0.0:0", Media: "127.0.0.1:0", Network: true}); err == nil || !strings.Contains(err.Error(), "this machine's own") {
		t.Errorf("every address: %v", err)
	}
	for _, c := range []struct{ http, media, wantText string }{
		{"0.0.0.0:0", "127.0.0.1:0", "loopback only"},
		{"127.0.0.1:0", "192.0.2.1:0", "loopback only"},
		{"nonsense", "127.0.0.1:0", "not an address for --http"},
		{taken.Addr().String(), "127.0.0.1:0", "choose another address with --http"},
		{"127.0.0.1:0", takenUDP.LocalAddr().String(), "choose another address with --media"},
	} {
		if _, err := Start(Config{HTTP: c.http, Media: c.media}); err == nil || !strings.Contains(err.Error(), c.wantText) {
			t.Errorf("%s %s: %v, want %q", c.http, c.media, err, c.wantText)
		}
	}
}

func TestViewersFromTheCeilingOnAreRefused(t *testing.T) {
	lab, _ := startLab(t, 0)
	publishSample(t, lab, "cam")
	publishSample(t, lab, "other")
	setConditions(t, lab, `{"stream":"cam","refuseFrom":3,"cpuPerViewerMicros":4000}`)
	open := func(stream string) (status int, text string) {
		status, _, text = request(t, "POST", "http://"+lab.HTTP()+"/whep/"+stream, typeSDP, chromiumOffer)
		return status, text
	}
	for number, want := range []int{201, 201, 503, 503} {
		if status, text := open("cam"); status != want || want == 503 && !strings.Contains(text, "refuse viewer 3 of cam") {
			t.Errorf("viewer %d: %d %q", number+1, status, text)
		}
	}
	if status, _ := open("other"); status != 201 {
		t.Errorf("the other stream's viewer: %d", status)
	}
	if figures := lab.streamFigures(lab.countViewers()); figures[0].BudgetPercent == nil || figures[1].BudgetPercent != nil {
		t.Errorf("budgets %+v", figures)
	}
}
