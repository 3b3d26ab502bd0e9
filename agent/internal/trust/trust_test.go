package trust

import (
	"bytes"
	"encoding/pem"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClientsHaveNoOtherTLSConfiguration: a connection with its own would ignore selfSigned and the authorities. Servers
// of the lab and of tests have theirs.
func TestClientsHaveNoOtherTLSConfiguration(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "testing" || entry.Name() == "trust" || entry.Name() == "tools") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if bytes.Contains(text, []byte("tls.Config{")) {
			t.Errorf("%s makes another TLS configuration", path)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}

func TestAuthoritiesOfAFile(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	for text, want := range map[string]string{
		string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})): "", "nothing": "has no certificate in PEM",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		pool, err := read(file)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || (pool == nil) != (want != "") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := read(filepath.Join(t.TempDir(), "missing")); err == nil || !strings.Contains(err.Error(), CAVariable) {
		t.Errorf("%v", err)
	}
	if pool, err := read(""); pool != nil || err != nil {
		t.Errorf("%v, %v", pool, err)
	}
}
