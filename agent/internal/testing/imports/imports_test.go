// Package imports checks the permitted imports between packages. It has tests only.
package imports

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	pathpkg "path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	module   = "fullhouse/agent/"
	testOnly = "internal/testing"
)

// lines are the folders of the agent, each with its subfolders: a folder imports only from lines below its own.
var lines = [][]string{
	{"cmd/fullhouse-agent", "cmd/audience-bench"},
	{"internal/bench"},
	{"internal/audience", "internal/lab", "internal/daemon", "internal/selftest"},
	{"internal/publish"},
	{"internal/livekit", "internal/wcs"},
	{"internal/control", "internal/whep", "internal/rtmp", "internal/httplive", "internal/hls", "internal/turnload", "internal/ffmpeg"},
	{"internal/tcpmedia", "internal/httpstream", "internal/shaper", "internal/turn", "internal/icetcp"},
	{"internal/signalling", "internal/stats", "internal/viewer", "internal/udpreader", "internal/tcpreader", "internal/tester",
		"internal/host", "internal/process"},
	{"internal/proxy"},
	{"internal/failure", "internal/media", "internal/flv", "internal/netshape"},
	{"internal/monotonic", "internal/ntp", "internal/protocol", "internal/draws", "internal/timerwheel", "internal/readerthread",
		"internal/budget", "internal/childprocess", "internal/admission", "internal/trust"},
}

// pionWebRTC is a full WebRTC client. Viewers must not use it: it costs too much for each.
const pionWebRTC = "github.com/pion/webrtc/v4"

// withWebRTC are the folders that may import it: one connection each for publishing, or to compare viewers with.
var withWebRTC = []string{"internal/lab/whip", "internal/bench", testOnly}

// goFile is one file without tests, for any system.
type goFile struct {
	name    string // from the module's folder
	folder  string
	imports []string
}

// listFiles parses the files itself: unlike `go list`, that covers all systems, and `go test` knows when its result is
// outdated.
func listFiles(t *testing.T) []goFile {
	t.Helper()
	const root = "../../.."
	var files []goFile
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash(root+"/")))
		file := goFile{name: name, folder: pathpkg.Dir(name)}
		for _, one := range parsed.Imports {
			file.imports = append(file.imports, strings.Trim(one.Path.Value, `"`))
		}
		files = append(files, file)
		return nil
	})
	if err != nil || len(files) < 150 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

func isIn(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// lineOf is the line of a package, and its folder there; -1 if the table lacks it.
func lineOf(path string) (line int, folder string) {
	for line, folders := range lines {
		for _, folder := range folders {
			if isIn(path, folder) {
				return line, folder
			}
		}
	}
	return -1, ""
}

func TestImportsGoDownwards(t *testing.T) {
	for _, one := range listFiles(t) {
		if isIn(one.folder, testOnly) {
			continue
		}
		line, folder := lineOf(one.folder)
		if line < 0 {
			t.Errorf("%s is on no line: add its folder to the table in this file", one.folder)
		}
		for _, imported := range one.imports {
			path, isOwn := strings.CutPrefix(imported, module)
			if !isOwn || isIn(path, testOnly) {
				continue
			}
			if below, other := lineOf(path); below <= line && other != folder {
				t.Errorf("%s imports %s, which is not below it: move what both need down, or pass it in", one.name, path)
			}
		}
	}
}

// The product has no test helpers: no file outside internal/testing imports one, or what only tests need.
func TestTheProductHasNoTestHelpers(t *testing.T) {
	for _, one := range listFiles(t) {
		if isIn(one.folder, testOnly) {
			continue
		}
		for _, imported := range one.imports {
			if imported == "testing" || imported == "net/http/httptest" || strings.HasPrefix(imported, module+testOnly) {
				t.Errorf("%s imports %s outside its tests: move the helper to %s", one.name, imported, testOnly)
			}
		}
	}
}

func TestViewersUseNoFullWebRTCClient(t *testing.T) {
	for _, one := range listFiles(t) {
		allowed := slices.ContainsFunc(withWebRTC, func(folder string) bool { return isIn(one.folder, folder) })
		if slices.Contains(one.imports, pionWebRTC) && !allowed {
			t.Errorf("%s imports %s, which only %v may", one.name, pionWebRTC, withWebRTC)
		}
	}
}

// Programs are started in one way only, which keeps secrets out of their environment.
func TestProgramsAreStartedByOnePackage(t *testing.T) {
	const root, starter = "../../..", "internal/childprocess"
	starts := regexp.MustCompile(`\bexec\.Command(Context)?\(|\bos\.StartProcess\(|\bsyscall\.(ForkExec|Exec|StartProcess)\(|&?exec\.Cmd\{`)
	for _, one := range listFiles(t) {
		if isIn(one.folder, testOnly) || one.folder == starter {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, one.name))
		if err != nil {
			t.Fatal(err)
		}
		if found := starts.Find(text); found != nil {
			t.Errorf("%s starts a program by %s: use %s", one.name, found, starter)
		}
	}
}
