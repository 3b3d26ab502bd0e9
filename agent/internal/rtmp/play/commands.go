package play

import (
	"fmt"
	"strings"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/rtmp"
)

// command handles a command of the server. The caller holds the mutex.
func (v *Viewer) command(c rtmp.Command) {
	level, code, description := c.Info()
	isAnswer := c.Transaction == float64(v.step)
	switch {
	case c.Name == "_result" && isAnswer && v.step == connecting:
		v.step = creating
	case c.Name == "_result" && isAnswer && v.step == creating:
		number, _ := c.Number()
		v.number = uint32(number)
		v.step = requestingPlay
	case c.Name == "_error" && isAnswer && v.step < playing:
		v.refuse(code, description)
	case c.Name == "close":
		v.Fail(failure.New(v.At(), protocol.CauseClosed, "%s announced that it closes the connection.", v.group.Address.Host))
	case c.Name == "onStatus":
		v.status(level, code, description)
	}
}

func (v *Viewer) status(level, code, description string) {
	switch code {
	case "NetStream.Play.Start":
		if v.step == requestingPlay {
			v.step = playing
		}
	case "NetStream.Play.UnpublishNotify", "NetStream.Play.Stop", "NetStream.Play.Complete":
		v.IsUnpublished = true
		if v.FirstMediaAt == 0 {
			v.Fail(failure.New(v.At(), protocol.CauseUnpublished, "%s reported the end of the stream (%s) before any media.", v.group.Address.Host, code))
			return
		}
		v.Fail(failure.New(failure.Media, protocol.CauseUnpublished, "%s reported the end of the stream (%s) %s after the first media.", v.group.Address.Host, code, failure.Since(v.FirstMediaAt)))
	case "NetStream.Play.PublishNotify":
		v.IsUnpublished = false
	case "NetStream.Play.StreamNotFound", "NetStream.Play.Failed", "NetConnection.Connect.Rejected", "NetConnection.Connect.Closed":
		v.refuse(code, description)
	default:
		if level == "error" {
			v.refuse(code, description)
		}
	}
}

// refuse makes a failure of a server's refusal. The server's text may repeat the stream name, which may be a secret.
func (v *Viewer) refuse(code, description string) {
	address := v.group.Address
	reason := failure.Excerpt(strings.TrimSpace(address.WithoutSecret(code + " " + description)))
	if reason == "" {
		reason = "no reason given"
	}
	expected := "play"
	if v.step == connecting {
		if v.login.Answer(address, description) {
			v.isChallenged = true
			return
		}
		expected = fmt.Sprintf("connect (%s)", address.Application())
	}
	lower := strings.ToLower(code + " " + description)
	has := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(lower, word) {
				return true
			}
		}
		return false
	}
	switch {
	case v.step == connecting && rtmp.RequiresLogin(description) && address.User == "":
		v.Fail(failure.New(v.At(), protocol.CauseUnauthorized, "%s requires a user and a password: write rtmp://USER:PASSWORD@HOST/… (%s).", address.Host, reason))
	case has("auth", "403", "401"):
		v.Fail(failure.New(v.At(), protocol.CauseUnauthorized, "%s refused the credentials in %s (%s).", address.Host, expected, reason))
	case has("notfound", "not found"):
		v.Fail(failure.New(v.At(), protocol.CauseNotFound, "%s reports that the stream does not exist (%s): %s.", address.Host, address.Application(), strings.TrimSuffix(reason, ".")))
	default:
		v.Fail(failure.New(v.At(), protocol.CauseRejected, "%s refused %s: %s.", address.Host, expected, strings.TrimSuffix(reason, ".")))
	}
}
