package push

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"fullhouse/agent/internal/rtmp"
)

// negotiate sends the commands of a publisher (section 7.2 of the specification, and what encoders send in practice).
func (s *Session) negotiate(ctx context.Context, waitTimeout time.Duration) error {
	address := s.login.Address(s.address)
	facts := rtmp.Object{"app": address.App, "type": "nonprivate", "flashVer": "FMLE/3.0 (compatible; Fullhouse)", "tcUrl": address.TCURL()}
	if s.codec != "" {
		facts["fourCcList"] = []any{string(s.codec)}
	}
	err := errors.Join(
		s.write(controlChunks, rtmp.Message{Kind: rtmp.TypeSetChunkSize, Payload: binary.BigEndian.AppendUint32(nil, outChunkSize)}),
		s.command(0, "connect", float64(connecting), facts))
	if _, err = s.answer(ctx, err, waitTimeout, connecting, "connect ("+s.application()+")"); err != nil {
		return err
	}
	// The first two are not part of the specification; servers that support them prepare, others ignore them or return
	// a harmless error.
	err = errors.Join(
		s.command(0, "releaseStream", float64(releasing), nil, s.address.Stream),
		s.command(0, "FCPublish", float64(announcing), nil, s.address.Stream),
		s.command(0, "createStream", float64(creating), nil))
	created, err := s.answer(ctx, err, waitTimeout, creating, "createStream")
	if err != nil {
		return err
	}
	if number, found := created.Number(); found {
		s.stream = uint32(number)
	}
	err = s.command(s.stream, "publish", float64(publishing), nil, s.address.Stream, "live")
	_, err = s.answer(ctx, err, waitTimeout, publishing, "publish")
	return err
}

func (s *Session) application() string { return s.address.Application() }

// errChallenged is the error of a connect that is to be repeated on a new connection, with a response to its challenge.
var errChallenged = errors.New("the server requires a response to its challenge")

// answer waits for the response to a transaction; wanted is the requested command. asked is the error of sending it.
func (s *Session) answer(ctx context.Context, sendErr error, waitTimeout time.Duration, transaction float64, expected string) (rtmp.Command, error) {
	if sendErr != nil {
		return rtmp.Command{}, s.ended(sendErr, expected)
	}
	s.stage = transaction
	timer := time.NewTimer(waitTimeout)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return rtmp.Command{}, ctx.Err()
		case <-timer.C:
			return rtmp.Command{}, fmt.Errorf("%s did not respond to %s within %s", s.address.Host, expected, waitTimeout)
		case c, open := <-s.commands:
			if !open {
				return rtmp.Command{}, s.ended(s.lost, expected)
			}
			level, code, description := c.Info()
			switch {
			case c.Name == "_result" && c.Transaction == transaction:
				return c, nil
			case c.Name == "onStatus" && transaction == publishing && level != "error" && code == "NetStream.Publish.Start":
				return c, nil
			case c.Name == "_error" && c.Transaction == transaction, c.Name == "onStatus" && level == "error":
				return c, s.refused(code, description, expected)
			}
		}
	}
}

// refused makes a sentence of a server's refusal.
func (s *Session) refused(code, description, expected string) error {
	if s.stage == connecting && s.login.Answer(s.address, description) {
		return errChallenged
	}
	reason := strings.TrimSpace(strings.Join([]string{code, s.address.WithoutSecret(description)}, " "))
	if reason == "" {
		reason = "no reason given"
	}
	lower := strings.ToLower(description)
	switch {
	case rtmp.RequiresLogin(description) && s.address.User == "":
		return fmt.Errorf("%s requires a user and a password: write rtmp://USER:PASSWORD@HOST/… (%s)", s.address.Host, reason)
	case rtmp.RequiresLogin(description):
		return fmt.Errorf("%s refused the user and the password (%s)", s.address.Host, reason)
	case strings.Contains(lower, "auth") || strings.Contains(lower, "403") || strings.Contains(lower, "401"):
		return fmt.Errorf("%s refused the credentials for %s (%s); check the stream key", s.address.Host, s.application(), reason)
	case code == "NetStream.Publish.BadName":
		return fmt.Errorf("the stream name is in use already in %s of %s, or not allowed there (%s)", s.application(), s.address.Host, reason)
	}
	return fmt.Errorf("%s refused %s: %s", s.address.Host, expected, reason)
}

// ended makes a sentence of a connection that ended while a response was expected. Some servers refuse in this way.
func (s *Session) ended(err error, expected string) error {
	switch {
	case isTimeout(err):
		return fmt.Errorf("%s accepted no more data for %s", s.address.Host, writeTimeout)
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s closed the connection in response to %s; it may not exist, not be allowed, require a stream key, or be published already: see the server's log", s.address.Host, expected)
	}
	return fmt.Errorf("the connection to %s failed, waiting for the response to %s: %w", s.address.Host, expected, plain(err))
}
