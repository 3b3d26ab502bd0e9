package rtmp

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

func TestAMFIsWrittenAndReadBack(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	written := AppendAMF(nil, "connect", 1.0, Object{"app": "live", "ok": true, "nothing": nil, "in": Object{"a": -2.5}}, ECMAArray{"width": 426.0}, false, long, []any{"a", 1.0})
	want := []any{"connect", 1.0, map[string]any{"app": "live", "ok": true, "nothing": nil, "in": map[string]any{"a": -2.5}}, map[string]any{"width": 426.0}, false, long, []any{"a", 1.0}}
	if got, err := ReadAMF(written); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestTheBytesAreThoseOfTheSpecification compares the encoder with handwritten bytes, since it and the decoder could be
// wrong together.
func TestTheBytesAreThoseOfTheSpecification(t *testing.T) {
	for text, value := range map[string]any{
		"003ff0000000000000": 1.0, "0101": true, "0100": false, "0200046c697665": "live", "05": nil,
		"030003617070" + "0200046c697665" + "000009":        Object{"app": "live"},
		"08000000010003667073" + "004039000000000000000009": ECMAArray{"fps": 25.0},
	} {
		if got := hex.EncodeToString(AppendAMF(nil, value)); got != text {
			t.Errorf("%v is written as %s, want %s", value, got, text)
		}
	}
	// What only servers send: undefined, a strict array, a date.
	got, err := ReadAMF([]byte{6, 0x0a, 0, 0, 0, 2, 1, 1, 5, 0x0b, 0x40, 0x39, 0, 0, 0, 0, 0, 0, 0, 0})
	if want := []any{nil, []any{true, nil}, 25.0}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestDamagedAMFIsAnError(t *testing.T) {
	deep := bytes.Repeat([]byte{0x0a, 0, 0, 0, 1}, 20)
	for _, damaged := range [][]byte{{0}, {0, 1, 2}, {1}, {2, 0}, {2, 0, 5, 'a'}, {3, 0, 1, 'a'}, {3, 0, 0}, {0x0a, 255, 255, 255, 255}, {8, 0}, {0x0b, 1}, {0x0c, 255, 255, 255, 255}, {0x11}, deep} {
		if values, err := ReadAMF(damaged); err == nil {
			t.Errorf("% x was decoded as %v", damaged, values)
		}
	}
}

// FuzzAMF decodes a hostile server's values: never more of them than bytes.
func FuzzAMF(f *testing.F) {
	f.Add(AppendAMF(nil, "onStatus", 0.0, nil, Object{"code": "NetStream.Play.Start", "in": Object{"a": true}}, ECMAArray{"x": 1.0}, []any{"y", nil}))
	f.Add(bytes.Repeat([]byte{0x0a, 0xff, 0xff, 0xff, 0xff}, 9))
	f.Add([]byte{3, 0, 0, 3, 0, 0, 3, 0, 0, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		defer crafted.Watch(t)(len(data))
		values, _ := ReadAMF(data)
		if count := countAMF(values); count > len(data) {
			t.Fatalf("%d values of %d bytes", count, len(data))
		}
		if c, ok := ReadCommand(data); ok {
			c.Info()
			c.Number()
		}
	})
}

func countAMF(values []any) int {
	count := len(values)
	for _, value := range values {
		switch of := value.(type) {
		case []any:
			count += countAMF(of)
		case map[string]any:
			for _, one := range of {
				count += countAMF([]any{one})
			}
		}
	}
	return count
}
