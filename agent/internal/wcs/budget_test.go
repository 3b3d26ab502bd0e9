package wcs

import (
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

func TestMessagesTakeNoMoreMemoryThanTheirTextAllows(t *testing.T) {
	list := func(item string) []byte {
		return []byte(`{"message":"setRemoteSDP","data":[` + strings.Repeat(item+",", 3_900_000/len(item)) + `1]}`)
	}
	named := map[string][]byte{
		"a long list":   list("1"),
		"texts":         list(`""`),
		"objects":       list("{}"),
		"nesting":       []byte(`{"message":"x","data":` + strings.Repeat("[", 3_900_000)),
		"a list inside": []byte(`{"message":"fail","data":[{"id":"i","info":[` + strings.Repeat("1,", 1_900_000) + `1]}]}`),
		"a long text":   []byte(`{"message":"fail","data":[{"id":"i","info":"` + strings.Repeat("x", 3_900_000) + `"}]}`),
	}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Text(1000, `{"message":"setRemoteSDP","data":["i","v=0"]}`,
		`{"message":"fail","data":[{"id":"i","status":"FAILED","info":1}]}`, `{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"i","status":"STOPPED","info":"x"}]}`)), func(text []byte) {
		if message, err := parse(text); err == nil {
			_, _ = message.remoteSDP()
			_ = message.status()
		}
	})
}
