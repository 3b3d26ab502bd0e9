package child

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOrders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cpu")
	for line, want := range map[string]string{
		"profile 1 " + path:    `{"type":"profiled","path":"` + path + `"}`,
		"profile 0 " + path:    `"problem"`,
		"profile 1":            `"problem"`,
		"dance":                `"problem"`,
		"profile 1 /no/such/x": `"problem"`,
	} {
		var output bytes.Buffer
		stopped := false
		ctx, cancel := context.WithCancel(context.Background())
		if line != "profile 1 "+path {
			cancel()
		}
		New(&output).ServeCommands(ctx, strings.NewReader(line+"\n"), func() { stopped = true })
		cancel()
		if !strings.Contains(output.String(), want) || !stopped {
			t.Errorf("%q: %s, stopped %v", line, output.String(), stopped)
		}
	}
	if file, err := os.Stat(path); err != nil || file.Size() == 0 {
		t.Errorf("the profile: %v, %v", file, err)
	}
}
