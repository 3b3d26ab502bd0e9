package childprocess

import (
	"slices"
	"strings"
	"testing"
)

func TestSecretsOfTheEnvironmentStay(t *testing.T) {
	for _, name := range []string{"FULLHOUSE_TOKEN", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY", "FFREPORT", "MY_STREAM_KEY", "NOT_PATH"} {
		t.Setenv(name, "planted-secret")
	}
	t.Setenv("LC_TIME", "C")
	kept := Command("program", "word").Env
	if strings.Contains(strings.Join(kept, "\n"), "planted-secret") {
		t.Error(kept)
	}
	for _, name := range []string{"PATH=", "LC_TIME=C"} {
		if !slices.ContainsFunc(kept, func(one string) bool { return strings.HasPrefix(one, name) }) {
			t.Errorf("%s is missing in %q", name, kept)
		}
	}
}
