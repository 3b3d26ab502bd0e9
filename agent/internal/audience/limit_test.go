package audience

import (
	"strings"
	"testing"
)

func TestTheLimitIsTheSmallerOfFilesAndPorts(t *testing.T) {
	ports := localPorts()
	if l := viewersLimit(1256); l.viewers != 1000 || !strings.Contains(l.refusal(2000, 500), "ulimit -n 2756") || !strings.Contains(l.refusal(2000, 500), "in addition to 500") {
		t.Errorf("%+v: %s", l, l.refusal(2000, 500))
	}
	for _, files := range []uint64{0, 1 << 40} {
		if l := viewersLimit(files); l.viewers != ports || !strings.Contains(l.refusal(100000, 0), "ip_local_port_range") {
			t.Errorf("%d files: %+v: %s", files, l, l.refusal(100000, 0))
		}
	}
	if l := viewersLimit(100); l.viewers != 0 {
		t.Errorf("%+v", l)
	}
}
