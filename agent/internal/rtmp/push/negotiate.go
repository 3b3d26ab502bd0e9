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

// negotiate goes through the commands of a publisher (section 7.2 of the specification, and what encoders send in practice).
func (s *Session) negotiate(ctx context.Context, patience time.Duration) error {
	err := errors.Join(
		s.write(controlChunks, rtmp.Message{Kind: rtmp.TypeSetChunkSize, Payload: binary.BigEndian.AppendUint32(nil, outChunkSize)}),
		s.command(0, "connect", float64(connecting), rtmp.Object{"app": s.address.App, "type": "nonprivate",
			"flashVer": "FMLE/3.0 (compatible; Fullhouse)", "tcUrl": s.address.TCURL()}))
	if _, err = s.answer(ctx, err, patience, connecting, s.application()); err != nil {
		return err
	}
	// The middle two are no part of the specification; servers that know them prepare, others ignore them or complain harmlessly.
	err = errors.Join(
		s.command(0, "releaseStream", float64(releasing), nil, s.address.Stream),
		s.command(0, "FCPublish", float64(announcing), nil, s.address.Stream),
		s.command(0, "createStream", float64(creating), nil))
	created, err := s.answer(ctx, err, patience, creating, "a stream")
	if err != nil {
		return err
	}
	if number, found := created.Number(); found {
		s.stream = uint32(number)
	}
	err = s.command(s.stream, "publish", float64(publishing), nil, s.address.Stream, "live")
	_, err = s.answer(ctx, err, patience, publishing, "the stream's name")
	return err
}

func (s *Session) application() string { return fmt.Sprintf("the application %q", s.address.App) }

// answer waits for the answer to a transaction; wanted says what was asked for. What could not be asked is an error too.
func (s *Session) answer(ctx context.Context, asked error, patience time.Duration, transaction float64, wanted string) (rtmp.Command, error) {
	if asked != nil {
		return rtmp.Command{}, s.ended(asked, wanted)
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return rtmp.Command{}, ctx.Err()
		case <-timer.C:
			return rtmp.Command{}, fmt.Errorf("%s did not answer within %s when it was asked for %s", s.address.Host, patience, wanted)
		case c, open := <-s.commands:
			if !open {
				return rtmp.Command{}, s.ended(s.lost, wanted)
			}
			level, code, description := c.Info()
			switch {
			case c.Name == "_result" && c.Transaction == transaction:
				return c, nil
			case c.Name == "onStatus" && transaction == publishing && level != "error" && code == "NetStream.Publish.Start":
				return c, nil
			case c.Name == "_error" && c.Transaction == transaction, c.Name == "onStatus" && level == "error":
				return c, s.refused(code, description, wanted)
			}
		}
	}
}

// refused makes a sentence of a server's refusal.
func (s *Session) refused(code, description, wanted string) error {
	says := strings.TrimSpace(strings.Join([]string{code, s.address.WithoutSecret(description)}, " "))
	if says == "" {
		says = "no reason given"
	}
	lower := strings.ToLower(description)
	switch {
	case strings.Contains(lower, "auth") || strings.Contains(lower, "403") || strings.Contains(lower, "401"):
		return fmt.Errorf("%s wants other credentials for %s (%s); check the stream key", s.address.Host, s.application(), says)
	case code == "NetStream.Publish.BadName":
		return fmt.Errorf("the name of the stream is taken already in %s of %s, or not allowed there (%s)", s.application(), s.address.Host, says)
	}
	return fmt.Errorf("%s refused %s: %s", s.address.Host, wanted, says)
}

// ended makes a sentence of a connection that ended while something was wanted. Some servers refuse in this way.
func (s *Session) ended(err error, wanted string) error {
	switch {
	case isTimeout(err):
		return fmt.Errorf("%s took nothing more for %s", s.address.Host, writePatience)
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s ended the connection when it was asked for %s; it may not exist there or not be allowed, which the server's log tells", s.address.Host, wanted)
	}
	return fmt.Errorf("the connection to %s ended when it was asked for %s: %w", s.address.Host, wanted, plain(err))
}
