package whep

import (
	"errors"
	"net"
	"net/netip"
	"strings"

	"github.com/pion/rtcp"
	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/media"
)

// First bytes of the protocols that share the socket (RFC 7983), and the DTLS record types in use.
const (
	lastSTUN      = 3
	firstDTLS     = 20
	lastDTLS      = 63
	firstRTP      = 128
	lastRTP       = 191
	dtlsAlert     = 21
	dtlsHandshake = 22
	firstRTCP     = 192 // the second byte, RFC 5761
	lastRTCP      = 223
)

// maxAddresses bounds the known candidates of one viewer.
const maxAddresses = 8

// read receives every datagram of every viewer; a thousand viewers send some two thousand a second.
func (p *Peers) read() {
	defer p.running.Done()
	buffer := make([]byte, 4096)
	scratch := make([]byte, 4096)
	for {
		n, from, err := p.socket.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil || n < 8 {
			continue // an error of one datagram, such as a reset on Windows, does not end the socket
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		datagram := buffer[:n]
		switch first := datagram[0]; {
		case first <= lastSTUN:
			p.handleSTUN(datagram, from)
		case first >= firstDTLS && first <= lastDTLS:
			p.handleDTLS(datagram, from)
		case first >= firstRTP && first <= lastRTP:
			p.handleRTCP(datagram, scratch, from)
		}
	}
}

// handleSTUN responds to a connectivity check with the session's password; others get no response.
func (p *Peers) handleSTUN(datagram []byte, from netip.AddrPort) {
	request := &stun.Message{Raw: datagram}
	if request.Decode() != nil || request.Type != stun.BindingRequest {
		return
	}
	var username stun.Username
	if username.GetFrom(request) != nil {
		return
	}
	local, remote, _ := strings.Cut(string(username), ":")
	p.mutex.RLock()
	s := p.byUser[local]
	p.mutex.RUnlock()
	if s == nil || remote != s.remoteUser {
		return
	}
	integrity := stun.NewShortTermIntegrity(s.password)
	if integrity.Check(request) != nil {
		return
	}
	s.received.noteRole(request)
	p.confirm(s, from, request.Contains(stun.AttrUseCandidate))
	response, err := stun.Build(stun.NewTransactionIDSetter(request.TransactionID), stun.BindingSuccess,
		&stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())}, integrity, stun.Fingerprint)
	if err != nil {
		return
	}
	_, _ = p.socket.WriteToUDPAddrPort(response.Raw, from) // a check without a response is repeated
}

// confirm records that the address belongs to the session. The first one, and then the nominated one, receives its
// packets.
func (p *Peers) confirm(s *Session, from netip.AddrPort, nominated bool) {
	s.lastReceived.Store(p.now())
	p.mutex.RLock()
	known := p.byAddress[from] == s
	p.mutex.RUnlock()
	if !known {
		p.mutex.Lock()
		if s.State() != Ended && len(s.addresses) < maxAddresses {
			s.addresses = append(s.addresses, from)
			p.byAddress[from] = s
		}
		p.mutex.Unlock()
	}
	if nominated || s.viewer.To.Load() == nil {
		s.moveTo(from)
	}
}

func (p *Peers) sessionAt(from netip.AddrPort) *Session {
	p.mutex.RLock()
	s := p.byAddress[from]
	p.mutex.RUnlock()
	if s != nil {
		s.lastReceived.Store(p.now())
	}
	return s
}

func (p *Peers) handleDTLS(datagram []byte, from netip.AddrPort) {
	s := p.sessionAt(from)
	if s == nil {
		return
	}
	if s.State() == Connecting {
		if p.startHandshake(s, from) {
			s.wire.deliver(datagram)
		}
		return
	}
	switch datagram[0] {
	case dtlsAlert: // encrypted, but after a handshake only one alert is in use: the viewer disconnects
		p.end(s, false)
	case dtlsHandshake: // it did not get our last flight
		_ = s.wire.repeat() // the viewer requests again if this is lost too
	}
}

// startHandshake waits for the first record, so that an offer without a follow-up costs no goroutine. It reports
// whether a handshake exists to be fed.
func (p *Peers) startHandshake(s *Session, from netip.AddrPort) bool {
	if s.handshaking {
		return true
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if s.State() == Ended {
		return false
	}
	s.handshaking = true
	s.moveTo(from)
	s.wire = newWire(p.socket.LocalAddr(), net.UDPAddrFromAddrPort(from), func(datagram []byte) error {
		_, err := p.socket.WriteToUDPAddrPort(datagram, s.viewer.To.Load().Address)
		return err
	})
	p.running.Add(1)
	go p.handshake(s)
	return true
}

func (p *Peers) handleRTCP(datagram, scratch []byte, from netip.AddrPort) {
	s := p.sessionAt(from)
	if s == nil || s.State() != Playing || datagram[1] < firstRTCP || datagram[1] > lastRTCP {
		return
	}
	plain, err := s.incoming.DecryptRTCP(scratch, datagram, nil)
	if err != nil {
		return // not from the viewer, or damaged
	}
	splitCompound(plain, func(packet rtcpPacket) {
		s.received.note(packet, s.Stream.SSRC, s.Stream.SenderNow())
		switch content := packet.content.(type) {
		case *rtcp.TransportLayerNack:
			p.resend(s, content)
		case *rtcp.PictureLossIndication, *rtcp.FullIntraRequest:
			s.Stream.WantKeyframe()
		}
	})
}

func (p *Peers) resend(s *Session, nack *rtcp.TransportLayerNack) {
	for kind := range media.Kinds {
		if nack.MediaSSRC != s.Stream.SSRC[kind] {
			continue
		}
		for _, pair := range nack.Nacks {
			p.loop.Resend(s.viewer, kind, pair.PacketID, uint16(pair.LostPackets))
		}
	}
}
