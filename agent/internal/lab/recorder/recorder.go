package recorder

import (
	"crypto"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/pion/dtls/v3/pkg/crypto/fingerprint"
	"github.com/pion/dtls/v3/pkg/crypto/selfsign"

	"fullhouse/agent/internal/admission"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/whep/dtlssrtp"
)

const (
	// maxSessions is more than any comparison records; each is kept until the end.
	maxSessions    = 256
	maxForeign     = 16
	maxHeaderBytes = 16 << 10
)

// Conditions are what an origin accepts of an offer, and what it does to its viewers.
type Conditions struct {
	protocol.LabRecordParams
	// DamageEvery is the distance of audio packets that are damaged. 0: none.
	DamageEvery int
}

// Origin is a WHEP origin on loopback with one stream.
type Origin struct {
	conditions  Conditions
	sample      *media.Sample
	socket      *net.UDPConn
	certificate tls.Certificate
	fingerprint string
	server      *http.Server
	address     string
	stop        chan struct{}
	running     sync.WaitGroup

	mutex     sync.Mutex
	sessions  []*session
	byUser    map[string]*session
	byAddress map[netip.AddrPort]*session
}

// Open starts to serve a sample.
func Open(sample *media.Sample, conditions Conditions) (*Origin, error) {
	certificate, err := selfsign.GenerateSelfSigned()
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		return nil, err
	}
	print, err := fingerprint.Fingerprint(parsed, crypto.SHA256)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	_ = socket.SetReadBuffer(4 << 20) // as much as the system allows
	o := &Origin{conditions: conditions, sample: sample, socket: socket, certificate: certificate, fingerprint: strings.ToUpper(print),
		address: "http://" + listener.Addr().String(),
		stop:    make(chan struct{}), byUser: map[string]*session{}, byAddress: map[netip.AddrPort]*session{}}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /whep", o.post)
	routes.HandleFunc("DELETE /whep/{session}", o.delete)
	o.server = &http.Server{Handler: routes, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 10 * time.Second, MaxHeaderBytes: maxHeaderBytes, ConnContext: admission.Context}
	bounded := admission.NewListener(listener, admission.Limits{Waiting: maxSessions, Foreign: maxForeign})
	o.running.Add(3)
	go func() { defer o.running.Done(); _ = o.server.Serve(bounded) }() // ends with Close
	go func() { defer o.running.Done(); o.receive() }()
	go func() { defer o.running.Done(); o.send() }()
	return o, nil
}

// URL is the address of the WHEP endpoint.
func (o *Origin) URL() string { return o.address + "/whep" }

// Close ends the origin without closing the sessions of its viewers.
func (o *Origin) Close() error {
	close(o.stop)
	err := errors.Join(o.server.Close(), o.socket.Close())
	o.mutex.Lock()
	for _, s := range o.sessions {
		s.pipe.Close()
	}
	o.mutex.Unlock()
	o.running.Wait()
	return err
}

// Viewers are those of the sessions so far, in the order of their offers.
func (o *Origin) Viewers() []protocol.RecordedViewer {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	list := make([]protocol.RecordedViewer, len(o.sessions))
	for i, s := range o.sessions {
		list[i] = s.facts()
	}
	return list
}

// Sent is how many media packets were sent to all viewers.
func (o *Origin) Sent() int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	sent := 0
	for _, s := range o.sessions {
		for _, count := range s.counts {
			sent += int(count.packets)
		}
	}
	return sent
}

func randomText(bytes int) string {
	data := make([]byte, bytes)
	_, _ = rand.Read(data) // never fails
	return hex.EncodeToString(data)
}

func (o *Origin) post(response http.ResponseWriter, request *http.Request) {
	o.mutex.Lock()
	isFull := len(o.sessions) >= maxSessions
	o.mutex.Unlock()
	if isFull {
		http.Error(response, fmt.Sprintf("This origin records max %d sessions.", maxSessions), http.StatusServiceUnavailable)
		return
	}
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<20))
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	offer, err := readOffer(string(body))
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	seed := make([]byte, 4)
	_, _ = rand.Read(seed) // never fails
	s := &session{origin: o, id: randomText(8), ufrag: randomText(4), password: randomText(16), offer: offer, sdp: string(body),
		ssrcBase: binary.BigEndian.Uint32(seed)&0x7fffff00 | 1<<16, withheld: map[uint16]*withheld{}}
	s.pipe = dtlssrtp.NewPipe(func(data []byte) error {
		if s.silent.Load() {
			return nil // the close_notify of an established connection
		}
		return s.sendRaw(data)
	}, &net.UDPAddr{})
	answer, err := s.answer(o.socket.LocalAddr().(*net.UDPAddr).AddrPort(), o.fingerprint)
	if err != nil {
		http.Error(response, err.Error(), http.StatusNotAcceptable)
		return
	}
	o.mutex.Lock()
	o.sessions = append(o.sessions, s)
	o.byUser[s.ufrag] = s
	s.answeredAt = time.Now()
	o.mutex.Unlock()
	response.Header().Set("Content-Type", "application/sdp")
	response.Header().Set("Location", "/whep/"+s.id)
	response.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(response, answer) // a disconnected client times out
}

func (o *Origin) delete(response http.ResponseWriter, request *http.Request) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, s := range o.sessions {
		if s.id == request.PathValue("session") {
			s.note("DELETE")
			return
		}
	}
	http.NotFound(response, request)
}

// offerText is a session's offer with its random parts replaced by names.
func (s *session) offerText() string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(s.sdp), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case name == "a=ice-ufrag" || name == "a=ice-pwd":
			line = fmt.Sprintf("%s:(%d characters)", name, len(value))
		case name == "a=fingerprint":
			line = name + ":sha-256 (of the certificate)"
		case strings.HasPrefix(line, "c="):
			line = "c=IN IP4 (address)"
		case strings.HasPrefix(line, "m="):
			fields := strings.Fields(line)
			fields[1] = "(port)"
			line = strings.Join(fields, " ")
		case strings.HasPrefix(line, "o="):
			line = "o=- (number) 2 IN IP4 127.0.0.1"
		case name == "a=candidate":
			continue
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
