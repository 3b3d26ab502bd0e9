package whep

import (
	"errors"
	"net"
	"net/netip"
	"strings"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/lab/feedback"
	"fullhouse/agent/internal/media"
)

// First bytes of what shares the socket (RFC 7983), and the DTLS record types in use.
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

// maxAddresses bounds the candidates of one viewer that may be known.
const maxAddresses = 8

// read takes every datagram of every viewer; a thousand viewers send some two thousand a second.
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
			continue // a datagram's own error, like a reset on Windows, is not the socket's end
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

// handleSTUN answers a connectivity check that knows the session's password; others get silence.
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
	s.heardOf.noteRole(request)
	p.confirm(s, from, request.Contains(stun.AttrUseCandidate))
	response, err := stun.Build(stun.NewTransactionIDSetter(request.TransactionID), stun.BindingSuccess,
		&stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())}, integrity, stun.Fingerprint)
	if err != nil {
		return
	}
	_, _ = p.socket.WriteToUDPAddrPort(response.Raw, from) // a check that gets no answer is repeated
}

// confirm notes that the address belongs to the session. The first one, and then the nominated one, is where its
// packets go.
func (p *Peers) confirm(s *Session, from netip.AddrPort, nominated bool) {
	s.lastHeard.Store(p.now())
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

func (p *Peers) heard(from netip.AddrPort) *Session {
	p.mutex.RLock()
	s := p.byAddress[from]
	p.mutex.RUnlock()
	if s != nil {
		s.lastHeard.Store(p.now())
	}
	return s
}

func (p *Peers) handleDTLS(datagram []byte, from netip.AddrPort) {
	s := p.heard(from)
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
	case dtlsAlert: // encrypted, but after a handshake there is one alert in use: the viewer leaves
		p.end(s, false)
	case dtlsHandshake: // it has not got our last flight
		_ = s.wire.repeat() // the viewer asks again if this is lost too
	}
}

// startHandshake waits for the first record, so that an offer that never comes to life costs no goroutine.
// It tells whether there is one to feed.
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
	s := p.heard(from)
	if s == nil || s.State() != Playing || datagram[1] < firstRTCP || datagram[1] > lastRTCP {
		return
	}
	plain, err := s.incoming.DecryptRTCP(scratch, datagram, nil)
	if err != nil {
		return // not the viewer's, or damaged
	}
	feedback.Compound(plain, func(packet feedback.Packet) {
		s.heardOf.note(packet, s.Stream.SSRC)
		switch {
		case packet.Type == feedback.Transport && packet.Format == feedback.FormatNACK:
			p.resend(s, packet)
		case packet.Type == feedback.PayloadSpecific && (packet.Format == feedback.FormatPLI || packet.Format == feedback.FormatFIR):
			s.Stream.WantKeyframe()
		}
	})
}

func (p *Peers) resend(s *Session, nack feedback.Packet) {
	for kind := range media.Kinds {
		if nack.MediaSSRC() == s.Stream.SSRC[kind] {
			feedback.Lost(nack, func(sequence, mask uint16) { p.loop.Resend(s.viewer, kind, sequence, mask) })
		}
	}
}
