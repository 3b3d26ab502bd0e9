package relay

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"fullhouse/agent/internal/admission"
	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/trust"
)

const (
	// connectTimeout bounds the connection to the server.
	connectTimeout = 10 * time.Second
	// maxHead bounds a line of a request or a response, maxHeaders their number, and maxBody what follows them.
	maxHead, maxHeaders, maxBody = 8 << 10, 64, 64 << 10
)

// rtsp is the relay of one connection. Requests are rewritten; media and responses to them are passed on.
type rtsp struct {
	*Relay
	target      *url.URL
	ffmpeg      net.Conn
	server      net.Conn
	fromServer  *bufio.Reader
	credentials credentials

	// unanswered are requests whose response is still to come, in their order.
	mutex      sync.Mutex
	unanswered []*message
}

func openRTSP(target *url.URL) (*Relay, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &rtsp{Relay: &Relay{Address: "rtsp://" + listener.Addr().String() + "/" + random()}, target: target, credentials: credentialsOf(target)}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	r.close = cancel
	go func() {
		defer cancel()
		for r.ffmpeg == nil {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			if admission.IsForeign(connection) {
				_ = connection.Close() // of another user
			} else {
				r.ffmpeg = connection
			}
		}
		_ = listener.Close()
		defer r.ffmpeg.Close()
		context.AfterFunc(ctx, func() { _ = r.ffmpeg.Close() })
		r.run(ctx)
	}()
	return r.Relay, nil
}

func (r *rtsp) run(ctx context.Context) {
	server, err := dial(ctx, r.target)
	if err != nil {
		r.fail(err)
		return
	}
	defer server.Close()
	context.AfterFunc(ctx, func() { _ = server.Close() })
	r.server, r.fromServer = server, bufio.NewReaderSize(server, maxHead)
	var passing sync.WaitGroup
	passing.Go(func() {
		r.responses()
		_ = r.ffmpeg.Close() // its writes fail
	})
	r.requests()
	_ = server.Close()
	passing.Wait()
}

func dial(ctx context.Context, target *url.URL) (net.Conn, error) {
	port := target.Port()
	if port == "" {
		port = map[string]string{"rtsp": "554", "rtsps": "322"}[target.Scheme]
	}
	dialer := net.Dialer{Timeout: connectTimeout}
	address := net.JoinHostPort(target.Hostname(), port)
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil || target.Scheme != "rtsps" {
		return connection, err
	}
	// ffmpeg checks no certificates either unless asked to: cameras have their own.
	config := trust.Config(true)
	config.ServerName = target.Hostname()
	secure := tls.Client(connection, config)
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the TLS handshake failed: %w", err), connection.Close())
	}
	return secure, nil
}

// inWords is a failed connection in the words of ffmpeg.
func inWords(err error) string {
	var name *net.DNSError
	var timeout net.Error
	var number syscall.Errno
	switch {
	case errors.As(err, &name):
		return "Failed to resolve hostname " + name.Name
	case errors.As(err, &timeout) && timeout.Timeout():
		return "Connection timed out"
	case errors.As(err, &number):
		return strings.ToUpper(number.Error()[:1]) + number.Error()[1:]
	}
	return err.Error()
}

// requests passes on what ffmpeg sends, until one of the connections ends.
func (r *rtsp) requests() {
	from := bufio.NewReaderSize(r.ffmpeg, 64<<10)
	for {
		if isMedia, err := passMedia(from, r.server); err != nil {
			return
		} else if isMedia {
			continue
		}
		request, err := readMessage(from)
		if err != nil {
			return
		}
		r.rewrite(request)
		if err := r.send(request); err != nil {
			return
		}
	}
}

// send passes on a request with what authorizes it.
func (r *rtsp) send(request *message) error {
	method, rest, _ := strings.Cut(request.first, " ")
	address, _, _ := strings.Cut(rest, " ")
	request.set("Authorization", r.credentials.authorize(method, address))
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.unanswered = append(r.unanswered, request)
	_, err := io.WriteString(r.server, request.String())
	return err
}

// rewrite replaces the relay's address by the server's.
func (r *rtsp) rewrite(request *message) {
	public := *r.target
	public.User = nil
	public.Scheme = "rtsp"
	if r.target.Scheme == "rtsps" {
		public.Scheme = "rtsps"
	}
	request.first = strings.Replace(request.first, r.Address, public.String(), 1)
	for i, header := range request.headers {
		request.headers[i] = strings.Replace(header, r.Address, public.String(), 1)
	}
	if host, _, err := net.SplitHostPort(r.server.RemoteAddr().String()); err == nil && request.body != "" {
		kind := "IP4 "
		if strings.Contains(host, ":") {
			kind = "IP6 "
		}
		request.body = strings.ReplaceAll(request.body, "c=IN IP4 127.0.0.1", "c=IN "+kind+host)
		request.set("Content-Length", strconv.Itoa(len(request.body)))
	}
}

// responses passes on what the server sends. A request that was refused for lack of credentials is repeated once.
func (r *rtsp) responses() {
	for {
		if isMedia, err := passMedia(r.fromServer, r.ffmpeg); err != nil {
			return
		} else if isMedia {
			continue
		}
		response, err := readMessage(r.fromServer)
		if err != nil {
			return
		}
		request := r.answered()
		if request != nil && !request.isRepeated && response.status() == 401 && r.credentials.challenge(response) {
			request.isRepeated = true
			if err := r.send(request); err != nil {
				return
			}
			continue
		}
		r.keepRefusal(request, response)
		if _, err := io.WriteString(r.ffmpeg, response.String()); err != nil {
			return
		}
	}
}

// keepRefusal keeps the status of a response that ends the publication, in ffmpeg's words for viewers: of a publisher
// ffmpeg says nothing about it.
func (r *rtsp) keepRefusal(request, response *message) {
	if request == nil || response.status() < 400 {
		return
	}
	method, _, _ := strings.Cut(request.first, " ")
	if method != "ANNOUNCE" && method != "SETUP" && method != "RECORD" {
		return
	}
	_, status, _ := strings.Cut(response.first, " ")
	r.fail(fmt.Errorf("method %s failed: %s", method, failure.Excerpt(status)))
}

// answered takes the oldest request without response.
func (r *rtsp) answered() (request *message) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.unanswered) > 0 {
		request, r.unanswered = r.unanswered[0], r.unanswered[1:]
	}
	return request
}

// passMedia passes on an interleaved packet (RFC 2326, 10.12), if one is next.
func passMedia(from *bufio.Reader, to io.Writer) (isMedia bool, err error) {
	const packet, head = '$', 4
	first, err := from.Peek(1)
	if err != nil || first[0] != packet {
		return false, err
	}
	start, err := from.Peek(head)
	if err != nil {
		return false, err
	}
	_, err = io.CopyN(to, from, head+int64(start[2])<<8+int64(start[3]))
	return true, err
}

// message is a request or a response.
type message struct {
	first   string
	headers []string
	body    string
	// isRepeated is a request that was sent twice.
	isRepeated bool
}

var errTooLong = errors.New("the message is too long")

func readMessage(from *bufio.Reader) (*message, error) {
	m := &message{}
	for {
		line, err := from.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case m.first == "" && text == "": // between messages
			continue
		case m.first == "":
			m.first = text
			continue
		case text != "":
			if m.headers = append(m.headers, text); len(m.headers) > maxHeaders {
				return nil, errTooLong
			}
			continue
		}
		length, err := strconv.Atoi(m.get("Content-Length"))
		if err != nil {
			return m, nil
		}
		if length < 0 || length > maxBody {
			return nil, errTooLong
		}
		body := make([]byte, length)
		_, err = io.ReadFull(from, body)
		m.body = string(body)
		return m, err
	}
}

func (m *message) String() string {
	return m.first + "\r\n" + strings.Join(append(m.headers, "", ""), "\r\n") + m.body
}

func (m *message) status() int {
	_, rest, _ := strings.Cut(m.first, " ")
	code, _, _ := strings.Cut(rest, " ")
	number, err := strconv.Atoi(code)
	if err != nil || !strings.HasPrefix(m.first, "RTSP/") {
		return 0
	}
	return number
}

// all are the values of a header.
func (m *message) all(name string) (values []string) {
	for _, header := range m.headers {
		if key, value, _ := strings.Cut(header, ":"); strings.EqualFold(strings.TrimSpace(key), name) {
			values = append(values, strings.TrimSpace(value))
		}
	}
	return values
}

func (m *message) get(name string) string { return strings.Join(m.all(name), ",") }

// set replaces a header; an empty value removes it.
func (m *message) set(name, value string) {
	headers := m.headers[:0:0]
	for _, header := range m.headers {
		if key, _, _ := strings.Cut(header, ":"); !strings.EqualFold(strings.TrimSpace(key), name) {
			headers = append(headers, header)
		}
	}
	if value != "" {
		headers = append(headers, name+": "+value)
	}
	m.headers = headers
}
