package whep

import (
	"context"
	"crypto"
	"crypto/x509"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/fingerprint"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/sdp"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/monotonic"
)

// State of a session, in order.
type State int32

// A session is Connecting until DTLS is done, then Playing, at last Ended.
const (
	Connecting State = iota
	Playing
	Ended
)

// Session is one viewer.
type Session struct {
	ID     string
	Stream *fanout.Stream

	user, password    string // ICE, ours
	remoteUser        string
	remoteFingerprint string

	wire         *wire
	viewer       *fanout.Viewer
	incoming     *srtp.Context // the viewer's RTCP; used by the reader only
	state        atomic.Int32
	lastReceived atomic.Int64 // ns since the peers started

	arrived  time.Time
	codecs   []string
	received reports

	// The rest is guarded by the peers' mutex.
	addresses   []netip.AddrPort
	handshaking bool
}

// State is the state of the session.
func (s *Session) State() State { return State(s.state.Load()) }

func (p *Peers) newSession(stream *fanout.Stream, offer *sdp.Offer, transportCC bool) *Session {
	s := &Session{ID: NewID(), Stream: stream, user: randomText(8), password: randomText(24),
		remoteUser: offer.Username, remoteFingerprint: offer.Fingerprint, viewer: &fanout.Viewer{Stream: stream},
		arrived: monotonic.Now(), codecs: offer.Codecs}
	for _, section := range offer.Sections {
		if section.Accepted {
			s.viewer.PayloadType[section.Kind] = section.PayloadType
			s.viewer.Repairs[section.Kind] = slices.Contains(section.Feedback, "nack")
			s.viewer.RepairType |= section.RepairType // the video's; other kinds have none
			if transportCC {
				s.viewer.TransportExtension[section.Kind] = section.TransportExtension
			}
		}
	}
	s.lastReceived.Store(p.now())
	return s
}

// moveTo makes the address the destination of everything.
func (s *Session) moveTo(address netip.AddrPort) {
	if current := s.viewer.To.Load(); current == nil || current.Address != address {
		s.viewer.To.Store(udp.NewDestination(address))
	}
}

// handshake runs DTLS as the server and then starts the viewer.
func (p *Peers) handshake(s *Session) {
	defer p.running.Done()
	if err := p.secure(s); err != nil && s.State() != Ended {
		p.warn(fmt.Sprintf("The DTLS handshake with a viewer at %s failed: %v.", s.viewer.To.Load().Address, err))
		p.end(s, true)
	}
}

func (p *Peers) secure(s *Session) error {
	connection, err := dtls.ServerWithOptions(s.wire, s.wire.remote,
		dtls.WithCertificates(p.certificate),
		dtls.WithClientAuth(dtls.RequireAnyClientCert),
		dtls.WithInsecureSkipVerify(true), // WebRTC certificates are checked against the offer instead
		dtls.WithVerifyPeerCertificate(s.checkFingerprint),
		dtls.WithInsecureSkipVerifyHello(true), // ICE has verified the address
		dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80),
		dtls.WithMTU(dtlsMTU))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.idle)
	defer cancel()
	if err := connection.HandshakeContext(ctx); err != nil {
		return errors.Join(err, connection.Close())
	}
	profile, negotiated := connection.SelectedSRTPProtectionProfile()
	state, exported := connection.ConnectionState()
	s.wire.mute()
	if err := connection.Close(); err != nil {
		return err
	}
	if !negotiated || !exported {
		return errors.New("no SRTP profile was negotiated")
	}
	keys := srtp.Config{Profile: srtp.ProtectionProfile(profile)}
	if err := keys.ExtractSessionKeysFromDTLS(&state, false); err != nil {
		return err
	}
	if s.viewer.Keys, err = srtp.CreateContext(keys.Keys.LocalMasterKey, keys.Keys.LocalMasterSalt, keys.Profile); err != nil {
		return err
	}
	if s.incoming, err = srtp.CreateContext(keys.Keys.RemoteMasterKey, keys.Keys.RemoteMasterSalt, keys.Profile); err != nil {
		return err
	}
	if s.state.CompareAndSwap(int32(Connecting), int32(Playing)) {
		p.loop.Add(s.viewer)
		if s.State() == Ended { // it ended between the two; a second Remove is harmless
			p.loop.Remove(s.viewer)
		}
	}
	return nil
}

// checkFingerprint compares the viewer's certificate with the fingerprint in its offer.
func (s *Session) checkFingerprint(certificates [][]byte, _ [][]*x509.Certificate) error {
	if len(certificates) == 0 {
		return errors.New("the viewer sent no certificate")
	}
	if have := Fingerprint(certificates[0]); have != s.remoteFingerprint {
		return fmt.Errorf("the viewer's certificate has fingerprint %s, its offer has %s", have, s.remoteFingerprint)
	}
	return nil
}

// Fingerprint is a certificate's SHA-256 as SDP writes it.
func Fingerprint(certificate []byte) string {
	text, _ := fingerprint.Fingerprint(&x509.Certificate{Raw: certificate}, crypto.SHA256) // the hash is supported
	return strings.ToUpper(text)
}

// since is the time since the last data from the session.
func (s *Session) since(now int64) time.Duration { return time.Duration(now - s.lastReceived.Load()) }
