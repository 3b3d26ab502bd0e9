package whep

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/sdp"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/steady"
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

	wire      *wire
	viewer    *fanout.Viewer
	incoming  *srtp.Context // the viewer's RTCP; the reader's alone
	state     atomic.Int32
	lastHeard atomic.Int64 // ns since the peers began

	arrived time.Time
	codecs  []string
	heardOf reports

	// The rest is under the peers' mutex.
	addresses   []netip.AddrPort
	handshaking bool
}

// State tells how far the session is.
func (s *Session) State() State { return State(s.state.Load()) }

func (p *Peers) newSession(stream *fanout.Stream, offer *sdp.Offer, transportCC bool) *Session {
	s := &Session{ID: NewID(), Stream: stream, user: randomText(8), password: randomText(24),
		remoteUser: offer.Username, remoteFingerprint: offer.Fingerprint, viewer: &fanout.Viewer{Stream: stream},
		arrived: steady.Now(), codecs: offer.Codecs}
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
	s.lastHeard.Store(p.now())
	return s
}

// moveTo makes the address the one that everything goes to.
func (s *Session) moveTo(address netip.AddrPort) {
	if current := s.viewer.To.Load(); current == nil || current.Address != address {
		s.viewer.To.Store(udp.NewDestination(address))
	}
}

// handshake runs DTLS as the server and, when that is done, starts the viewer.
func (p *Peers) handshake(s *Session) {
	defer p.running.Done()
	if err := p.secure(s); err != nil && s.State() != Ended {
		p.warn(fmt.Sprintf("A viewer at %s did not get through DTLS: %v.", s.viewer.To.Load().Address, err))
		p.end(s, true)
	}
}

func (p *Peers) secure(s *Session) error {
	connection, err := dtls.ServerWithOptions(s.wire, s.wire.remote,
		dtls.WithCertificates(p.certificate),
		dtls.WithClientAuth(dtls.RequireAnyClientCert),
		dtls.WithInsecureSkipVerify(true), // WebRTC's certificates are checked against the offer instead
		dtls.WithVerifyPeerCertificate(s.checkFingerprint),
		dtls.WithInsecureSkipVerifyHello(true), // ICE has proved the address
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
	profile, agreed := connection.SelectedSRTPProtectionProfile()
	state, exported := connection.ConnectionState()
	s.wire.mute()
	if err := connection.Close(); err != nil {
		return err
	}
	if !agreed || !exported {
		return errors.New("no SRTP profile was agreed on")
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

// checkFingerprint holds the viewer's certificate against the one that its offer announced.
func (s *Session) checkFingerprint(certificates [][]byte, _ [][]*x509.Certificate) error {
	if len(certificates) == 0 {
		return errors.New("the viewer sent no certificate")
	}
	if have := Fingerprint(certificates[0]); have != s.remoteFingerprint {
		return fmt.Errorf("the viewer's certificate has fingerprint %s, its offer said %s", have, s.remoteFingerprint)
	}
	return nil
}

// Fingerprint is a certificate's SHA-256 as SDP writes it.
func Fingerprint(certificate []byte) string {
	digest := sha256.Sum256(certificate)
	text := strings.ToUpper(hex.EncodeToString(digest[:]))
	pairs := make([]string, 0, len(digest))
	for i := 0; i < len(text); i += 2 {
		pairs = append(pairs, text[i:i+2])
	}
	return strings.Join(pairs, ":")
}

// since is how long ago the session was heard.
func (s *Session) since(now int64) time.Duration { return time.Duration(now - s.lastHeard.Load()) }
