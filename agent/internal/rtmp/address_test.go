package rtmp

import (
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]Address{
		"rtmp://host/live/cam":                  {Host: "host:1935", App: "live", Stream: "cam"},
		"rtmp://host:19350/live/room/cam?key=a": {Host: "host:19350", App: "live/room", Stream: "cam?key=a"},
		"rtmps://[::1]/live/cam":                {Host: "[::1]:443", Secure: true, App: "live", Stream: "cam"},
	} {
		if got, err := ParseAddress(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "host/live/cam", "http://host/live/cam", "rtmp://host", "rtmp://host/live", "rtmp://host/live/", "rtmp:///live/cam", "rtmp://me:secret@host/live/cam", "rtmp://host/%zzsecret/x"} {
		if got, err := ParseAddress(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if address := (Address{Host: "host:443", Secure: true, App: "live"}); address.TCURL() != "rtmps://host:443/live" || address.Name() != "host" {
		t.Errorf("%s, %s", address.TCURL(), address.Name())
	}
}
