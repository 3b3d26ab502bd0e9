package bare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/sdp"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
)

const maxBody = 256 << 10

// Origin serves one stream at /whep/NAME, for any NAME, on loopback.
type Origin struct {
	listener net.Listener
	web      *http.Server
	peers    *whep.Peers
	loop     *Loop
	stream   *fanout.Stream

	mutex     sync.Mutex
	receivers []*fanout.Viewer
}

// Open starts an origin of the sample. warn receives sentences about viewers that failed.
func Open(sample *media.Sample, warn func(string)) (*Origin, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o := &Origin{listener: listener, stream: fanout.NewLive(func() {})}
	o.peers, err = whep.ListenWith(netip.MustParseAddrPort("127.0.0.1:0"), whep.DefaultIdle, warn, func(socket *net.UDPConn) (whep.Sender, error) {
		loop, err := Start(socket, sample)
		o.loop = loop
		return loop, err
	})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /whep/{stream}", o.play)
	mux.HandleFunc("DELETE /whep/{stream}/{session}", o.leave)
	mux.HandleFunc("POST /receivers", o.addReceivers)
	mux.HandleFunc("DELETE /receivers", o.removeReceivers)
	o.web = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = o.web.Serve(listener) }() // ends only by Close
	return o, nil
}

// HTTP is the address of WHEP.
func (o *Origin) HTTP() string { return o.listener.Addr().String() }

// Close ends everything.
func (o *Origin) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return errors.Join(o.web.Shutdown(ctx), o.peers.Close())
}

// Sample is what the origin did since it started; Latest is since the last call.
type Sample struct {
	Sessions int
	Totals   udp.Totals
	Latest   time.Duration
}

// Sample returns the figures.
func (o *Origin) Sample() Sample {
	return Sample{Sessions: len(o.peers.Sessions()), Totals: o.loop.Totals(), Latest: o.loop.TakeLatest()}
}

func (o *Origin) play(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	offer, err := sdp.ParseOffer(string(text), rtppayload.H264)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	name := r.PathValue("stream")
	session, answer, err := o.peers.Open(o.stream, name, offer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/sdp")
	w.Header().Set("Location", "/whep/"+name+"/"+session.ID)
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer) // a disconnected client times out
}

func (o *Origin) leave(w http.ResponseWriter, r *http.Request) {
	session := o.peers.Find(r.PathValue("session"))
	if session == nil {
		http.Error(w, "Session not found.", http.StatusNotFound)
		return
	}
	o.peers.End(session, true)
}

// Receivers are sockets of this machine that get a viewer's packets without being one. A port listed several times gets
// as many copies.
type Receivers struct {
	Ports []uint16 `json:"ports"`
}

func (o *Origin) addReceivers(w http.ResponseWriter, r *http.Request) {
	var requested Receivers
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&requested); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if len(requested.Ports) > whep.MaxSessions {
		http.Error(w, fmt.Sprintf("%d receivers are too many at once.", len(requested.Ports)), http.StatusBadRequest)
		return
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, port := range requested.Ports {
		keys, err := srtp.CreateContext(make([]byte, 16), make([]byte, 12), srtp.ProtectionProfileAeadAes128Gcm)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		v := &fanout.Viewer{Stream: o.stream, Keys: keys, PayloadType: [media.Kinds]uint8{102, 111}}
		v.To.Store(udp.NewDestination(netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)))
		o.receivers = append(o.receivers, v)
		o.loop.Add(v)
	}
}

func (o *Origin) removeReceivers(http.ResponseWriter, *http.Request) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, v := range o.receivers {
		o.loop.Remove(v)
	}
	o.receivers = nil
}
