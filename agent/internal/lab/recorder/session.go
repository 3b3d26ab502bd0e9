package recorder

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/whep/dtlssrtp"
)

// session is one viewer. The origin's mutex guards it.
type session struct {
	origin          *Origin
	id              string
	ufrag, password string
	offer           *offer
	sdp             string
	ssrcBase        uint32
	tracks          [media.Kinds]track
	address         netip.AddrPort
	pipe            *dtlssrtp.Pipe
	silent          atomic.Bool
	handshaking     bool
	hello           helloReader
	stun, rtcp      tally
	// The steps of the session: the answer, the first check, the first record of DTLS, the keys, the end.
	answeredAt, firstAt, helloAt, keysAt, leftAt time.Time
	// Since the keys were derived.
	upstreamPackets, upstreamBytes int
	end                            []string

	inbound, outbound *srtp.Context
	feedback          []feedbackSeen
	name              int
	sender            uint32
	player
	withheld map[uint16]*withheld
}

type feedbackSeen struct {
	at      float64
	packets int
	bytes   int
	ofVideo bool
}

func (s *session) note(event string) {
	if s.leftAt.IsZero() {
		s.leftAt = time.Now()
	}
	if len(s.end) == 0 || s.end[len(s.end)-1] != event {
		s.end = append(s.end, event)
	}
}

func sinceMs(from time.Time) float64 { return between(from, time.Now()) }

// between is in milliseconds; 0 if the second time has not come.
func between(from, to time.Time) float64 {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return float64(to.Sub(from).Microseconds()) / 1000
}

// playedFor is how long media was sent.
func (s *session) playedFor() time.Duration {
	if s.leftAt.IsZero() {
		return time.Since(s.keysAt)
	}
	return s.leftAt.Sub(s.keysAt)
}

func (s *session) sendRaw(data []byte) error {
	_, err := s.origin.socket.WriteToUDPAddrPort(data, s.address)
	return err
}

// receive dispatches what arrives (RFC 7983).
func (o *Origin) receive() {
	buffer := make([]byte, 4096)
	for {
		n, from, err := o.socket.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil || n == 0 {
			continue
		}
		o.mutex.Lock()
		data := buffer[:n]
		s := o.byAddress[from]
		if s != nil && s.inbound != nil && s.leftAt.IsZero() {
			s.upstreamPackets++
			s.upstreamBytes += n
		}
		switch {
		case data[0] <= 3:
			o.check(data, from)
		case s == nil:
		case data[0] >= 20 && data[0] <= 63:
			s.datagram(data)
		case data[0] >= 128 && data[0] <= 191 && n > 8 && s.inbound != nil:
			s.control(data)
		}
		o.mutex.Unlock()
	}
}

// datagram handles a DTLS datagram: the first one starts the handshake, an alert after it ends the session.
func (s *session) datagram(data []byte) {
	s.hello.datagram(data)
	if s.inbound != nil {
		if data[0] == dtlssrtp.RecordAlert {
			s.note("DTLS alert")
		}
		return
	}
	if !s.handshaking {
		s.handshaking, s.helloAt = true, time.Now()
		s.origin.running.Add(1)
		go s.handshake()
	}
	s.pipe.Deliver(data)
}

func (s *session) handshake() {
	defer s.origin.running.Done()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	connection, err := dtls.ServerWithOptions(s.pipe, net.UDPAddrFromAddrPort(s.address), dtls.WithCertificates(s.origin.certificate),
		dtls.WithClientAuth(dtls.RequireAnyClientCert), dtls.WithInsecureSkipVerify(true), dtls.WithInsecureSkipVerifyHello(true),
		dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80))
	if err != nil {
		return
	}
	defer func() {
		s.silent.Store(true)
		_ = connection.Close() // it is not needed any more
	}()
	if err := connection.HandshakeContext(ctx); err != nil {
		s.origin.mutex.Lock()
		defer s.origin.mutex.Unlock()
		s.note("DTLS failed: " + err.Error())
		return
	}
	profile, _ := connection.SelectedSRTPProtectionProfile()
	state, _ := connection.ConnectionState()
	config := srtp.Config{Profile: srtp.ProtectionProfile(profile)}
	err = config.ExtractSessionKeysFromDTLS(&state, false)
	s.origin.mutex.Lock()
	defer s.origin.mutex.Unlock()
	if err == nil {
		s.outbound, err = srtp.CreateContext(config.Keys.LocalMasterKey, config.Keys.LocalMasterSalt, config.Profile)
	}
	if err == nil {
		s.inbound, err = srtp.CreateContext(config.Keys.RemoteMasterKey, config.Keys.RemoteMasterSalt, config.Profile)
	}
	if err != nil {
		s.note("no keys: " + err.Error())
		return
	}
	s.keysAt = time.Now()
	s.start(s.keysAt)
}
