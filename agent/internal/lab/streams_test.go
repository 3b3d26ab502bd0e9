package lab

import (
	"strings"
	"testing"
)

func TestNamesOfStreams(t *testing.T) {
	for _, name := range []string{"cam", "Übung 1/камера", "教室 #3 100%?a=b", "😀", strings.Repeat("ü", 128)} {
		if fault := nameFault(name); fault != "" {
			t.Errorf("%q was refused: %s", name, fault)
		}
	}
	for _, name := range []string{"", " cam", "cam ", "/cam", "a/../b", ".", "a\nb", "a\x00", "a\u202eb", "a\xff", strings.Repeat("ü", 129)} {
		if nameFault(name) == "" {
			t.Errorf("%q was accepted", name)
		}
	}
}
