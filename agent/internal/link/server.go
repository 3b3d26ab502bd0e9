package link

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"fullhouse/agent/internal/host"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/steady"
)

// leavePatience is how long an ending agent waits for its viewers to leave properly before it closes sockets.
const leavePatience = 10 * time.Second

// closePatience is how long the last records may take to reach who listens.
const closePatience = time.Second

// Config is what a Server needs.
type Config struct {
	Role    Role
	Records *Records
	// Version is the agent's own.
	Version string
	// Token is what every connection must show.
	Token string
	// Listen is a loopback address with a port, 0 for any.
	Listen string
	// Alone is how long no console may call before all viewers are disconnected.
	Alone time.Duration
	// ExitWhenAlone ends Serve after that.
	ExitWhenAlone bool
	// Keep is how long no console may call before Serve ends; 0: forever.
	Keep time.Duration
	// OpenFiles is the process's limit of descriptors, 0 where there is none.
	OpenFiles uint64
	// Log takes sentences for people.
	Log *log.Logger
	// SampleEvery is one second but in tests.
	SampleEvery time.Duration
	// ClockStep tells by how much the system's clock was set since the last call; by default it watches that clock.
	ClockStep func() time.Duration
}

// Server serves one role to any number of engines.
type Server struct {
	config   Config
	listener net.Listener
	instance string
	host     host.Host
	silence  *silence // since the last frame of any connection
	began    time.Time
	shutdown chan struct{}
	asking   sync.Once
	// ending is closed when nothing more will be recorded: connections send what they have and close.
	ending      chan struct{}
	connections sync.WaitGroup
}

// Listen opens the server's socket; Serve answers on it.
func Listen(config Config) (*Server, error) {
	if err := checkLoopback(config.Listen); err != nil {
		return nil, err
	}
	if config.SampleEvery == 0 {
		config.SampleEvery = time.Second
	}
	if config.ClockStep == nil {
		config.ClockStep = steady.NewSteps().Look
	}
	listener, err := net.Listen("tcp", config.Listen)
	if err != nil {
		return nil, fmt.Errorf("the agent can't listen on %s: %w", config.Listen, err)
	}
	id := make([]byte, 8)
	if _, err := rand.Read(id); err != nil {
		return nil, fmt.Errorf("no randomness for the instance: %w", err)
	}
	return &Server{config: config, listener: listener, instance: hex.EncodeToString(id), host: host.Read(), silence: newSilence(config.Alone, 0),
		began: time.Now(), shutdown: make(chan struct{}), ending: make(chan struct{})}, nil
}

func checkLoopback(address string) error {
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is no address to listen on; write it like 127.0.0.1:0", address)
	}
	if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("the agent listens on loopback only, %s is not; use 127.0.0.1:0 and reach it through an SSH tunnel", name)
	}
	return nil
}

// Instance is the random name of this server's life.
func (s *Server) Instance() string { return s.instance }

// Listening is the line for standard output.
func (s *Server) Listening() Listening {
	announcement := s.config.Role.Announcement()
	return Listening{Type: "listening", Protocol: ProtocolVersion, Agent: s.config.Version, Role: s.config.Role.Name(),
		Address: s.listener.Addr().String(), PID: os.Getpid(), HTTP: announcement.HTTP, Media: announcement.Media}
}

// Serve answers until ctx ends, a client asks for shutdown, or no console calls any more (ExitWhenAlone). It then
// disconnects all viewers, waits for that, and closes the role.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	mux := http.NewServeMux()
	// Connections outlive the order to end: they carry the last records.
	conversing, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	mux.HandleFunc("GET /v1", func(w http.ResponseWriter, r *http.Request) { s.accept(conversing, w, r) })
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error, 1)
	go func() { served <- web.Serve(s.listener) }()
	sampled := make(chan struct{})
	sampling, stopSampling := context.WithCancel(context.WithoutCancel(ctx)) // who leaves is still told of
	defer stopSampling()
	go func() { defer close(sampled); s.sampleLoop(sampling) }()

	var err error
	select {
	case <-ctx.Done():
	case <-s.shutdown:
	case <-s.watchAlone(sampling):
	case err = <-served:
		err = fmt.Errorf("the agent's server ended: %w", err)
	}
	s.disconnectAll()
	stopSampling()
	<-sampled
	err = errors.Join(err, s.config.Role.Close())
	close(s.ending)
	s.waitForConnections()
	return errors.Join(err, web.Close())
}

// askShutdown ends Serve, once its answer is out.
func (s *Server) askShutdown() { s.asking.Do(func() { close(s.shutdown) }) }

// waitForConnections lets the last records, such as job-ended, reach who listens.
func (s *Server) waitForConnections() {
	closed := make(chan struct{})
	go func() { defer close(closed); s.connections.Wait() }()
	select {
	case <-closed:
	case <-time.After(closePatience):
	}
}

// disconnectAll lets all viewers leave properly, then closes their sockets. Connections still get their samples meanwhile.
func (s *Server) disconnectAll() {
	deadline := time.Now().Add(leavePatience)
	s.config.Role.DisconnectAll(false)
	for s.config.Role.Left() > 0 {
		if time.Now().After(deadline) {
			s.config.Log.Printf("%d viewers or publications did not leave within %s; their sockets are closed now.", s.config.Role.Left(), leavePatience)
			s.config.Role.DisconnectAll(true)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// sampleLoop makes a sample each interval of the monotonic clock; one that comes late says so by its own interval.
func (s *Server) sampleLoop(ctx context.Context) {
	meter := process.NewMeter()
	ticker := time.NewTicker(s.config.SampleEvery)
	defer ticker.Stop()
	last := time.Now()
	for ended := false; !ended; {
		select {
		case <-ctx.Done():
			ended = true // with a last sample, which shows that nobody is left
		case <-ticker.C:
		}
		if step := s.config.ClockStep(); step != 0 {
			s.config.Records.Event(clockStepped(step))
		}
		now := time.Now()
		s.config.Records.Sample(s.config.Role.Sample(meter.Sample(), now.Sub(last)))
		last = now
	}
}

// clockStepped tells that the clock of this machine was set. All times of the agent go on as if it had not been.
func clockStepped(step time.Duration) Event {
	direction := "forward"
	if step < 0 {
		direction = "back"
	}
	message := fmt.Sprintf("The clock of this machine was set %s by %d s; times of this agent go on without the step.", direction, int64(step.Abs().Round(time.Second).Seconds()))
	return Event{Name: "clock-stepped", StepMs: step.Milliseconds(), Message: message}
}

// watchAlone is the dead man's switch. The channel closes when the agent has to end because of it.
func (s *Server) watchAlone(ctx context.Context) <-chan struct{} {
	end := make(chan struct{})
	go func() {
		ticker := time.NewTicker(s.silence.every)
		defer ticker.Stop()
		alone := false
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			silence := s.silence.look(time.Since(s.began))
			if s.config.Keep > 0 && silence >= s.config.Keep {
				s.config.Log.Printf("No console called for %s: the agent ends.", s.config.Keep)
				close(end)
				return
			}
			wasAlone := alone
			if alone = silence >= s.config.Alone; !alone || wasAlone {
				continue
			}
			left := s.config.Role.DisconnectAll(false)
			message := fmt.Sprintf("No console called for %s: %d viewers disconnected.", s.config.Alone, left)
			s.config.Records.Event(Event{Name: "left-alone", Message: message})
			s.config.Log.Print(message)
			if s.config.ExitWhenAlone {
				close(end)
				return
			}
		}
	}()
	return end
}

// accept checks who calls before it speaks WebSocket with them.
func (s *Server) accept(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "" {
		http.Error(w, "Browsers are not served.", http.StatusForbidden)
		return
	}
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+s.config.Token)) != 1 {
		http.Error(w, "The token is missing or wrong.", http.StatusUnauthorized)
		return
	}
	s.converse(ctx, w, r)
}
