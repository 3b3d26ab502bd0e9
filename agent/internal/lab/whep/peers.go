// Package whep is the viewers' side of the lab: ICE lite, DTLS and RTCP for many viewers on one UDP socket. It does
// only what a viewer needs, and costs a small part of a general WebRTC stack per viewer.
package whep

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"sync"
	"time"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/sdp"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/monotonic"
)

const (
	// MaxSessions is the maximum of sessions.
	MaxSessions = 5000
	// DefaultIdle is the silence after which a viewer times out: that of a lost consent (RFC 7675).
	DefaultIdle     = 30 * time.Second
	dtlsMTU         = 1200
	yearsValid      = 1
	sessionIDLength = 16
)

// ErrFull is the error for a viewer above MaxSessions.
var ErrFull = errors.New("the lab is full")

// ErrRefused is the error for a viewer above the stream's simulated ceiling.
var ErrRefused = errors.New("the stream accepts no more viewers")

// Sender sends a stream's packets to viewers until they are removed. The lab's is a fanout.Loop.
type Sender interface {
	Add(*fanout.Viewer)
	Remove(*fanout.Viewer)
	Resend(v *fanout.Viewer, kind media.Kind, sequence, mask uint16)
	Totals() udp.Totals
	Close()
}

// Peers are all viewers of all streams.
type Peers struct {
	socket      *net.UDPConn
	address     netip.AddrPort
	loop        Sender
	certificate tls.Certificate
	fingerprint string
	idle        time.Duration
	warn        func(string)
	startTime   time.Time

	mutex     sync.RWMutex
	byID      map[string]*Session
	byUser    map[string]*Session
	byAddress map[netip.AddrPort]*Session

	ended []view // the latest, oldest first

	running sync.WaitGroup
	stop    chan struct{}
}

// Listen opens the media socket and starts to serve. warn receives sentences about viewers that failed.
func Listen(address netip.AddrPort, idle time.Duration, warn func(string)) (*Peers, error) {
	return ListenWith(address, idle, warn, func(socket *net.UDPConn) (Sender, error) { return fanout.Start(socket) })
}

// ListenWith is Listen with a custom sender, which sends from the media socket.
func ListenWith(address netip.AddrPort, idle time.Duration, warn func(string), start func(*net.UDPConn) (Sender, error)) (*Peers, error) {
	certificate, err := newCertificate()
	if err != nil {
		return nil, err
	}
	socket, err := udp.Listen(address)
	if err != nil {
		return nil, err
	}
	loop, err := start(socket)
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	p := &Peers{socket: socket, address: socket.LocalAddr().(*net.UDPAddr).AddrPort(), loop: loop, certificate: certificate,
		fingerprint: Fingerprint(certificate.Certificate[0]), idle: idle, warn: warn, startTime: time.Now(),
		byID: map[string]*Session{}, byUser: map[string]*Session{}, byAddress: map[netip.AddrPort]*Session{}, stop: make(chan struct{})}
	p.running.Add(2)
	go p.read()
	go p.watchIdle()
	return p, nil
}

// newCertificate makes the one for all viewers: P-256, the least expensive that every browser accepts.
func newCertificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("generating the lab's key failed: %w", err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "fullhouse lab"},
		NotBefore: time.Now().AddDate(0, 0, -1), NotAfter: time.Now().AddDate(yearsValid, 0, 0)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("generating the lab's certificate failed: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: key}, nil
}

// Address is where media is received and sent from.
func (p *Peers) Address() netip.AddrPort { return p.address }

// Totals of what was sent to all viewers.
func (p *Peers) Totals() udp.Totals { return p.loop.Totals() }

// Open makes a session for the offer and returns it with the answer.
func (p *Peers) Open(stream *fanout.Stream, streamName string, offer *sdp.Offer) (*Session, string, error) {
	transportCC := stream.Conditions().TransportCC
	s := p.newSession(stream, offer, transportCC)
	answer := sdp.Answer{SessionID: uint64(time.Now().UnixMicro()), Username: s.user, Password: s.password, Fingerprint: p.fingerprint,
		Media: p.address, SSRC: stream.SSRC, RepairSSRC: stream.RepairSSRC, TransportCC: transportCC, StreamName: streamName, Cname: fanout.Cname}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.byID) >= MaxSessions {
		return nil, "", ErrFull
	}
	if ceiling := stream.Conditions().Ceiling; ceiling.RefuseFrom > 0 && ceiling.Refuses(p.viewersOf(stream)) {
		return nil, "", ErrRefused
	}
	p.byID[s.ID], p.byUser[s.user] = s, s
	return s, answer.Text(offer), nil
}

// viewersOf counts those of one stream. The mutex is held.
func (p *Peers) viewersOf(stream *fanout.Stream) (count int) {
	for _, s := range p.byID {
		if s.Stream == stream {
			count++
		}
	}
	return count
}

// Find returns the session with that id, nil for none.
func (p *Peers) Find(id string) *Session {
	p.mutex.RLock()
	defer p.mutex.RUnlock()
	return p.byID[id]
}

// Sessions are all that have not ended.
func (p *Peers) Sessions() []*Session {
	p.mutex.RLock()
	defer p.mutex.RUnlock()
	sessions := make([]*Session, 0, len(p.byID))
	for _, s := range p.byID {
		sessions = append(sessions, s)
	}
	return sessions
}

// End ends a session. With say a close_notify is sent to the viewer.
func (p *Peers) End(s *Session, notify bool) { p.end(s, notify) }

func (p *Peers) end(s *Session, notify bool) {
	if State(s.state.Swap(int32(Ended))) == Ended {
		return
	}
	p.mutex.Lock()
	delete(p.byID, s.ID)
	delete(p.byUser, s.user)
	for _, address := range s.addresses {
		if p.byAddress[address] == s {
			delete(p.byAddress, address)
		}
	}
	wire := s.wire
	p.mutex.Unlock()
	p.loop.Remove(s.viewer)
	p.keepEnded(s)
	if wire == nil {
		return
	}
	if notify {
		_ = wire.sendCloseNotify() // best effort: if it is lost, the viewer's own timeout ends the session
	}
	_ = wire.Close() // never fails; ends an active handshake
}

// watchIdle ends the sessions that have timed out.
func (p *Peers) watchIdle() {
	defer p.running.Done()
	every := max(p.idle/15, 10*time.Millisecond)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	pauses := monotonic.NewPauses(every, time.Duration(p.now()))
	resumedAt := int64(0)
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			now := p.now()
			if _, paused := pauses.Check(time.Duration(now)); paused {
				resumedAt = now // what the viewers sent meanwhile is still to be read
			}
			for _, s := range p.Sessions() {
				if min(s.since(now), time.Duration(now-resumedAt)) > p.idle {
					p.end(s, true)
				}
			}
		}
	}
}

// Close ends all sessions and closes the socket.
func (p *Peers) Close() error {
	close(p.stop)
	for _, s := range p.Sessions() {
		p.end(s, true)
	}
	p.loop.Close()
	err := p.socket.Close()
	p.running.Wait()
	return err
}

func (p *Peers) now() int64 { return int64(time.Since(p.startTime)) }

func randomText(length int) string {
	raw := make([]byte, length/2)
	_, _ = rand.Read(raw) // crypto/rand never fails
	return hex.EncodeToString(raw)
}

// NewID makes a session's id: random, because it is sufficient to end the session.
func NewID() string { return randomText(sessionIDLength) }
