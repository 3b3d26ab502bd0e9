package wheptest

import (
	"context"
	"fmt"
	"net"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/srtp/v3"
	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/whep/dtlssrtp"
)

// session is one viewer's session.
type session struct {
	origin   *Lite
	name     string
	socket   *net.UDPConn
	viewer   atomic.Pointer[net.UDPAddr]
	pipe     *dtlssrtp.Pipe
	stop     chan struct{}
	stopping sync.Once
	begun    sync.Once
	promised string // the viewer's fingerprint
}

const password = "79408d558961r911ejq66miq023jj9e0"

var fingerprintLine = regexp.MustCompile(`a=fingerprint:sha-256 ([0-9A-F:]+)`)

func (o *Lite) startSession(name, offer string) (*session, error) {
	address := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}
	if o.faults.IPv6 {
		address.IP = net.IPv6loopback
	}
	if o.faults.Host != nil {
		address.IP = o.faults.Host
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
	one.pipe = dtlssrtp.NewPipe(func(data []byte) error { one.send(data); return nil }, socket.LocalAddr())
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

// answer has the shape of SRS's.
func (s *session) answer() string {
	setup := "passive"
	if s.origin.faults.Active {
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
		data, faults := buffer[:n], s.origin.faults
		switch {
		case n == 0:
		case data[0] <= 3:
			s.viewer.Store(from)
			if faults.STUN == nil || !faults.STUN(data, s.send) {
				s.stun(data, from)
			}
		case data[0] >= 20 && data[0] <= 63:
			if faults.DTLS == nil || !faults.DTLS(data, s.send) {
				s.pipe.Deliver(data)
				s.begun.Do(s.handshake)
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
	if s.origin.faults.Active {
		s.begun.Do(s.handshake)
	}
}

// handshake performs the handshake and then plays, concurrently with the reader.
func (s *session) handshake() {
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
		role := dtlssrtp.Server
		if s.origin.faults.Active {
			role = dtlssrtp.Client
		}
		result, f := dtlssrtp.Handshake(ctx, s.pipe, role, s.origin.certificate, "sha-256", s.promised)
		if f != nil || s.origin.faults.Mute {
			return
		}
		if s.origin.faults.WrongKeys {
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
	payloadType := s.origin.faults.PayloadType
	if payloadType == 0 {
		payloadType = 102
	}
	plain, err := picture(i, payloadType).Marshal()
	if err != nil {
		return // impossible: the packet is ours
	}
	packet, err := outbound.EncryptRTP(nil, plain, nil)
	if err != nil {
		return
	}
	packets := [][]byte{packet}
	if s.origin.faults.Media != nil {
		packets = s.origin.faults.Media(i, packet)
	}
	for _, one := range packets {
		s.send(one)
	}
}
