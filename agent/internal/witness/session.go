package witness

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/rtcp"
	"github.com/pion/srtp/v3"
	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/whep/secure"
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
	pipe            *secure.Pipe
	silent          atomic.Bool
	handshaking     bool
	hello           helloReader
	stun, rtcp      tally
	firstAt         time.Time // of STUN
	keysAt          time.Time
	leftAt          time.Time
	end             []string

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

func sinceMs(from time.Time) float64 { return float64(time.Since(from).Microseconds()) / 1000 }

func (s *session) sendRaw(data []byte) error {
	_, err := s.origin.socket.WriteToUDPAddrPort(data, s.address)
	return err
}

// receive sorts what arrives (RFC 7983).
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

// describe names a STUN message's type and its attributes with their lengths; the user name's length is that of the names chosen.
func describe(m *stun.Message) string {
	parts := []string{m.Type.Class.String()}
	for _, a := range m.Attributes {
		name := a.Type.String()
		if strings.HasPrefix(name, "0x") || strings.Contains(name, "unexpected") {
			name = fmt.Sprintf("0x%04x", uint16(a.Type))
		}
		if a.Type != stun.AttrUsername {
			name += fmt.Sprintf("/%d", a.Length)
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, " ")
}

func (o *Origin) check(data []byte, from netip.AddrPort) {
	message := &stun.Message{}
	if stun.Decode(data, message) != nil {
		return
	}
	s := o.byAddress[from]
	if message.Type == stun.BindingRequest {
		var username stun.Username
		if username.GetFrom(message) != nil {
			return
		}
		local, _, _ := strings.Cut(username.String(), ":")
		if s = o.byUser[local]; s == nil || stun.NewShortTermIntegrity(s.password).Check(message) != nil {
			return
		}
	}
	if s == nil {
		return
	}
	if s.firstAt.IsZero() {
		s.firstAt = time.Now()
	}
	s.stun.add(describe(message), sinceMs(s.firstAt))
	if message.Type != stun.BindingRequest {
		return
	}
	if s.address != from {
		s.address = from
		o.byAddress[from] = s
	}
	response, err := stun.Build(message, stun.BindingSuccess, &stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())},
		stun.NewShortTermIntegrity(s.password), stun.Fingerprint)
	if err == nil {
		_ = s.sendRaw(response.Raw) // it asks again
	}
	if o.conditions.FullICE && len(s.stun) > 0 && s.stun[0].Count <= 3 {
		s.ask()
	}
}

// ask sends a check of our own, as a full agent that is controlled does.
func (s *session) ask() {
	request, err := stun.Build(stun.TransactionID, stun.BindingRequest, stun.NewUsername(s.offer.ufrag+":"+s.ufrag),
		stun.RawAttribute{Type: stun.AttrICEControlled, Value: make([]byte, 8)}, stun.RawAttribute{Type: stun.AttrPriority, Value: []byte{0x6e, 0, 0, 0xff}},
		stun.NewShortTermIntegrity(s.offer.password), stun.Fingerprint)
	if err == nil {
		_ = s.sendRaw(request.Raw) // a check that is lost proves nothing either way
	}
}

// datagram takes a DTLS datagram: the first one begins the handshake, an alert after it is a goodbye.
func (s *session) datagram(data []byte) {
	s.hello.datagram(data)
	if s.inbound != nil {
		if data[0] == secure.RecordAlert {
			s.note("DTLS alert")
		}
		return
	}
	if !s.handshaking {
		s.handshaking = true
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
		_ = connection.Close() // it has nothing more to say
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
	s.begin(s.keysAt)
}

// control reads a viewer's RTCP.
func (s *session) control(data []byte) {
	plain, err := s.inbound.DecryptRTCP(nil, data, nil)
	if err != nil {
		s.rtcp.add("undecryptable", sinceMs(s.keysAt))
		return
	}
	packets, err := rtcp.Unmarshal(plain)
	if err != nil {
		s.rtcp.add("unreadable", sinceMs(s.keysAt))
		return
	}
	at := sinceMs(s.keysAt)
	var kinds []string
	for _, packet := range packets {
		kinds = append(kinds, s.packet(packet, at))
	}
	s.rtcp.add(strings.Join(kinds, "+"), at)
}

func (s *session) packet(packet rtcp.Packet, at float64) string {
	switch p := packet.(type) {
	case *rtcp.ReceiverReport:
		s.sender = p.SSRC
		about := make([]string, len(p.Reports))
		for i, report := range p.Reports {
			about[i] = s.nameOf(report.SSRC)
		}
		return "RR(" + strings.Join(about, ",") + ")"
	case *rtcp.SourceDescription:
		for _, chunk := range p.Chunks {
			for _, item := range chunk.Items {
				if item.Type == rtcp.SDESCNAME {
					s.name = len(item.Text)
				}
			}
		}
		return "SDES"
	case *rtcp.PictureLossIndication:
		s.wanted = true
		return "PLI"
	case *rtcp.FullIntraRequest:
		s.wanted = true
		return "FIR"
	case *rtcp.TransportLayerNack:
		for _, pair := range p.Nacks {
			for _, sequence := range pair.PacketList() {
				s.asked(p.MediaSSRC, sequence, at)
			}
		}
		return "NACK"
	case *rtcp.TransportLayerCC:
		s.feedback = append(s.feedback, feedbackSeen{at, int(p.PacketStatusCount), int(p.Len()), p.MediaSSRC == s.tracks[media.Video].ssrc})
		return "TWCC"
	case *rtcp.ReceiverEstimatedMaximumBitrate:
		return "REMB"
	case *rtcp.ExtendedReport:
		return "XR"
	case *rtcp.Goodbye:
		s.note("BYE")
		return "BYE"
	}
	return fmt.Sprintf("%T", packet)
}

// nameOf tells which stream of ours an SSRC is.
func (s *session) nameOf(ssrc uint32) string {
	for kind := range s.tracks {
		switch ssrc {
		case s.tracks[kind].ssrc:
			return media.Kind(kind).String()
		case s.tracks[kind].rtxSSRC:
			return "rtx"
		}
	}
	return "unknown"
}

func (s *session) facts() Facts {
	f := Facts{Offer: s.offer.OfferFacts, STUN: s.stun.facts(), RTCP: s.rtcp.facts(), CanonicalName: s.name, SenderSSRC: s.sender, End: s.end}
	if s.hello.isRead {
		f.ClientHello = &s.hello.facts
	}
	if !s.keysAt.IsZero() {
		until := s.leftAt
		if until.IsZero() {
			until = time.Now()
		}
		f.Seconds = tenths(until.Sub(s.keysAt).Seconds())
	}
	if len(s.feedback) > 0 {
		var at []float64
		var packets, bytes []int
		for _, seen := range s.feedback {
			at, packets, bytes = append(at, seen.at), append(packets, seen.packets), append(bytes, seen.bytes)
		}
		f.Feedback = &FeedbackFacts{Count: len(at), IntervalMs: tenths(median(intervals(at))), Packets: median(packets), Bytes: median(bytes),
			OfVideo: s.feedback[len(s.feedback)-1].ofVideo}
	}
	f.Repair = s.repairFacts()
	return f
}
