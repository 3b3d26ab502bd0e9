package origintest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/srtp/v3"
	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/whep/secure"
)

// Lies are what a Lite does otherwise than it should; the zero value is an honest server.
type Lies struct {
	// HTTP answers a request in its place, when it returns true.
	HTTP func(w http.ResponseWriter, r *http.Request) bool
	// Created writes the answer in its place; location is of the session.
	Created func(w http.ResponseWriter, location, answer string)
	// Answer changes the SDP answer.
	Answer func(sdp string) string
	// STUN and DTLS take a datagram in its place, when they return true; reply sends one back.
	STUN func(datagram []byte, reply func([]byte)) bool
	DTLS func(datagram []byte, reply func([]byte)) bool
	// Active has it begin DTLS.
	Active bool
	// Media changes the packet number n, encrypted, into those that are sent.
	Media func(n uint32, packet []byte) [][]byte
	// PayloadType is that of the media, 0 for the answer's.
	PayloadType uint8
	// WrongKeys encrypts with keys of nobody.
	WrongKeys bool
	// Mute sends no media, as SRS does for a stream that nobody publishes.
	Mute bool
	// IPv6 is where media is, beside HTTP.
	IPv6 bool
}

// Lite is an ICE-lite server with one candidate, as SRS is, made by hand.
type Lite struct {
	*httptest.Server
	lies        Lies
	certificate secure.Certificate
	mutex       sync.Mutex
	sessions    map[string]*session
	Posts       atomic.Int64
	Deletes     atomic.Int64
	running     sync.WaitGroup
}

// NewLite starts a Lite at a loopback address.
func NewLite(t testing.TB, lies Lies) *Lite {
	t.Helper()
	certificate, err := secure.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	o := &Lite{lies: lies, certificate: certificate, sessions: map[string]*session{}}
	o.Server = httptest.NewServer(http.HandlerFunc(o.serve))
	t.Cleanup(func() {
		o.mutex.Lock()
		for _, one := range o.sessions {
			one.close()
		}
		o.mutex.Unlock()
		o.CloseClientConnections()
		o.Server.Close()
		o.running.Wait()
	})
	return o
}

// Present is how many sessions were not ended by DELETE.
func (o *Lite) Present() int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return len(o.sessions)
}

func (o *Lite) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		o.Deletes.Add(1)
		o.mutex.Lock()
		defer o.mutex.Unlock()
		if one := o.sessions[r.URL.Query().Get("session")]; one != nil {
			one.close()
			delete(o.sessions, one.name)
		}
		return
	}
	if o.lies.HTTP != nil && o.lies.HTTP(w, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client gave up
	}
	one, err := o.begin(fmt.Sprintf("s%d", o.Posts.Add(1)), string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	location, answer := "/rtc/v1/whip/?action=delete&token=5086532l0&session="+one.name, one.answer()
	if o.lies.Answer != nil {
		answer = o.lies.Answer(answer)
	}
	if o.lies.Created != nil {
		o.lies.Created(w, location, answer)
		return
	}
	w.Header().Set("Location", location)
	w.Header().Set("Content-Type", "application/sdp")
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer)
}

// session is one viewer's.
type session struct {
	origin   *Lite
	name     string
	socket   *net.UDPConn
	viewer   atomic.Pointer[net.UDPAddr]
	pipe     *secure.Pipe
	stop     chan struct{}
	stopping sync.Once
	begun    sync.Once
	promised string // the viewer's fingerprint
}

const password = "79408d558961r911ejq66miq023jj9e0"

var fingerprintLine = regexp.MustCompile(`a=fingerprint:sha-256 ([0-9A-F:]+)`)

func (o *Lite) begin(name, offer string) (*session, error) {
	address := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}
	if o.lies.IPv6 {
		address.IP = net.IPv6loopback
	}
	socket, err := net.ListenUDP("udp", address)
	if err != nil {
		return nil, err
	}
	promised := fingerprintLine.FindStringSubmatch(offer)
	if promised == nil {
		return nil, fmt.Errorf("the offer has no fingerprint")
	}
	one := &session{origin: o, name: name, socket: socket, stop: make(chan struct{}), promised: promised[1]}
	one.pipe = secure.NewPipe(func(data []byte) error { one.send(data); return nil }, socket.LocalAddr())
	o.mutex.Lock()
	o.sessions[name] = one
	o.mutex.Unlock()
	o.running.Add(1)
	go func() { defer o.running.Done(); one.read() }()
	return one, nil
}

func (s *session) close() {
	s.stopping.Do(func() { close(s.stop); _ = s.socket.Close() })
}

// answer is shaped like SRS's.
func (s *session) answer() string {
	setup := "passive"
	if s.origin.lies.Active {
		setup = "active"
	}
	local := s.socket.LocalAddr().(*net.UDPAddr)
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\r\n", arguments...) }
	line("v=0\r\no=- 1 2 IN IP4 0.0.0.0\r\ns=Play\r\nt=0 0\r\na=ice-lite\r\na=group:BUNDLE 0 1")
	for i, media := range []string{"audio 9 UDP/TLS/RTP/SAVPF 111", "video 9 UDP/TLS/RTP/SAVPF 102"} {
		line("m=%s\r\nc=IN IP4 0.0.0.0\r\na=ice-ufrag:%s\r\na=ice-pwd:%s\r\na=fingerprint:sha-256 %s\r\na=setup:%s\r\na=mid:%d\r\na=sendonly\r\na=rtcp-mux",
			media, s.name, password, s.origin.certificate.Fingerprint, setup, i)
		if i == 0 {
			line("a=rtpmap:111 opus/48000/2")
		} else {
			line("a=rtpmap:102 H264/90000\r\na=rtcp-fb:102 nack\r\na=rtcp-fb:102 nack pli\r\na=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f")
		}
		line("a=candidate:0 1 udp 2130706431 %s %d typ host generation 0", local.IP, local.Port)
	}
	return b.String()
}

func (s *session) send(data []byte) {
	if to := s.viewer.Load(); to != nil {
		_, _ = s.socket.WriteToUDP(data, to) // the viewer may be gone
	}
}

func (s *session) read() {
	buffer := make([]byte, 2048)
	for {
		n, from, err := s.socket.ReadFromUDP(buffer)
		if err != nil {
			select {
			case <-s.stop:
				return
			default:
				continue
			}
		}
		data, lies := buffer[:n], s.origin.lies
		switch {
		case n == 0:
		case data[0] <= 3:
			s.viewer.Store(from)
			if lies.STUN == nil || !lies.STUN(data, s.send) {
				s.stun(data, from)
			}
		case data[0] >= 20 && data[0] <= 63:
			if lies.DTLS == nil || !lies.DTLS(data, s.send) {
				s.pipe.Deliver(data)
				s.begun.Do(s.shake)
			}
		}
	}
}

func (s *session) stun(data []byte, from *net.UDPAddr) {
	request := &stun.Message{Raw: append([]byte(nil), data...)}
	if request.Decode() != nil || request.Type != stun.BindingRequest || stun.NewShortTermIntegrity(password).Check(request) != nil {
		return
	}
	response, err := stun.Build(stun.NewTransactionIDSetter(request.TransactionID), stun.BindingSuccess,
		&stun.XORMappedAddress{IP: from.IP, Port: from.Port}, stun.NewShortTermIntegrity(password), stun.Fingerprint)
	if err == nil {
		s.send(response.Raw)
	}
	if s.origin.lies.Active {
		s.begun.Do(s.shake)
	}
}

// shake makes the handshake and then plays, apart from the reader.
func (s *session) shake() {
	s.origin.running.Add(1)
	go func() {
		defer s.origin.running.Done()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		go func() {
			select {
			case <-s.stop:
				cancel()
			case <-ctx.Done():
			}
		}()
		role := secure.Server
		if s.origin.lies.Active {
			role = secure.Client
		}
		result, f := secure.Handshake(ctx, s.pipe, role, s.origin.certificate, "sha-256", s.promised)
		if f != nil || s.origin.lies.Mute {
			return
		}
		if s.origin.lies.WrongKeys {
			clear(result.Keys.LocalMasterKey)
		}
		outbound, err := srtp.CreateContext(result.Keys.LocalMasterKey, result.Keys.LocalMasterSalt, result.Profile)
		if err != nil {
			return
		}
		play(s.stop, func(i uint32) { s.frame(outbound, i) })
	}()
}

func (s *session) frame(outbound *srtp.Context, i uint32) {
	payloadType := s.origin.lies.PayloadType
	if payloadType == 0 {
		payloadType = 102
	}
	plain, err := picture(i, payloadType).Marshal()
	if err != nil {
		return // can't be: the packet is ours
	}
	packet, err := outbound.EncryptRTP(nil, plain, nil)
	if err != nil {
		return
	}
	packets := [][]byte{packet}
	if s.origin.lies.Media != nil {
		packets = s.origin.lies.Media(i, packet)
	}
	for _, one := range packets {
		s.send(one)
	}
}
