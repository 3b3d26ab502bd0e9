package rtmp

import (
	"strings"
	"testing"
)

const (
	adobeWanted     = "?authmod=adobe&user=me&challenge=01020304&response=r7xNNUWiNLQ0N8APuMjxlg==&opaque=ghi=="
	limelightWanted = "?authmod=llnw&user=me&nonce=abcdef&cnonce=01020304&nc=00000001&response=2c747a57015b90102f7620808984a62a"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]Address{
		"rtmp://host/live/cam":                    {Host: "host:1935", App: "live", Stream: "cam"},
		"rtmp://host:19350/live/room/cam?key=a":   {Host: "host:19350", App: "live/room", Stream: "cam?key=a"},
		"rtmp://host/cam":                         {Host: "host:1935", Stream: "cam"},
		"rtmp://host/cam?user=me&pass=a":          {Host: "host:1935", Stream: "cam?user=me&pass=a"},
		"rtmp://host/live?token=x/cam":            {Host: "host:1935", App: "live?token=x", Stream: "cam"},
		"rtmp://host/live?token=x/room/cam":       {Host: "host:1935", App: "live?token=x/room", Stream: "cam"},
		"rtmp://host/live?token=x/cam?key=a/b":    {Host: "host:1935", App: "live?token=x", Stream: "cam?key=a/b"},
		"rtmp://host/live/room?token=x/cam?key=a": {Host: "host:1935", App: "live/room?token=x", Stream: "cam?key=a"},
		"rtmp://host/live/cam?key=a/b":            {Host: "host:1935", App: "live", Stream: "cam?key=a/b"},
		"rtmp://me:pass%2Fword@host/live/cam":     {Host: "host:1935", App: "live", Stream: "cam", User: "me", Password: "pass/word"},
		"rtmps://[::1]/live/cam":                  {Host: "[::1]:443", Secure: true, App: "live", Stream: "cam"},
	} {
		if got, err := ParseAddress(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "host/live/cam", "http://host/live/cam", "rtmp://host", "rtmp://host/", "rtmp://host//cam", "rtmp://host/live/", "rtmp://host/?secret", "rtmp://host/live?token=secret/", "rtmp:///live/cam", "rtmp://secret@host/live/cam", "rtmp://:secret@host/live/cam", "rtmp://host/%zzsecret/x"} {
		if got, err := ParseAddress(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if address := (Address{Host: "host:443", Secure: true, App: "live"}); address.TCURL() != "rtmps://host:443/live" || address.Name() != "host" {
		t.Errorf("%s, %s", address.TCURL(), address.Name())
	}
	if address := (Address{Host: "host:1935"}); address.TCURL() != "rtmp://host:1935" || address.Application() != "without an application" {
		t.Errorf("%s, %s", address.TCURL(), address.Application())
	}
	address := Address{Host: "host:1935", App: "live?token=planted", Stream: "name?key=hidden", User: "me", Password: "s3cret"}
	if text := address.WithoutSecret("live?token=planted name key=hidden s3cret") + address.Application(); text != `live?… … … …application "live"` {
		t.Error(text)
	}
}

// The responses were computed by another implementation of both methods, from the same values.
func TestChallengesAreAnswered(t *testing.T) {
	of := Address{App: "live", User: "me", Password: "secret"}
	var login Login
	for _, one := range []string{"[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : ", "code=403 need auth; authmod=llnw"} {
		login = Login{}
		if !login.Answer(of, one) || !strings.HasSuffix(login.Address(of).TCURL(), "&user=me") {
			t.Errorf("%s: %s", one, login.Address(of).TCURL())
		}
	}
	if got := adobe(of, valuesOf("reason=needauth&user=me&salt=abc&challenge=def&opaque=ghi=="), "01020304"); got != adobeWanted {
		t.Error(got)
	}
	if got := limelight(of, "abcdef", "01020304"); got != limelightWanted {
		t.Error(got)
	}
	for _, one := range []string{"NetConnection.Connect.Rejected", "authmod=adobe ?reason=authfailed", "authmod=adobe ?reason=nosuchuser", "authmod=other"} {
		if login := (Login{}); login.Answer(of, one) {
			t.Errorf("%s is answered", one)
		}
	}
	if login := (Login{}); login.Answer(Address{App: "live"}, "authmod=adobe") {
		t.Error("a user is made up")
	}
	login = Login{}
	for attempt := range maxAttempts {
		if login.Answer(of, "authmod=adobe ?reason=needauth&salt=a&challenge=b") != (attempt < maxAttempts-1) {
			t.Errorf("attempt %d", attempt)
		}
	}
}
