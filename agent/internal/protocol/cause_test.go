package protocol

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

func TestACauseIsItsNameInMessages(t *testing.T) {
	for _, test := range []struct {
		cause Cause
		want  string
	}{
		{CauseTimeout, "timeout"},
		{HTTPCause(404), "http-404"},
		{RTSPCause(453), "rtsp-453"},
		{TURNCause(486), "turn-486"},
		{AlertCause(40), "alert-handshake-failure"},
		{AlertCause(200), "alert-200"},
		{LeftCause(5), "left-room-deleted"},
		{LeftCause(99), "left-reason-99"},
		{InnerCause(StageTCP, CauseRefused), "tcp-refused"},
	} {
		data, err := json.Marshal(Failure{Cause: test.cause})
		if err != nil || !strings.Contains(string(data), `"cause":"`+test.want+`"`) {
			t.Errorf("%s: %s, %v", test.want, data, err)
		}
		var read Failure
		if err := json.Unmarshal(data, &read); err != nil || read.Cause != test.cause {
			t.Errorf("%s was read as %v, %v", test.want, read.Cause, err)
		}
	}
}

// The compiler refuses a text as a cause; only an empty one and one read from a message could get around it.
func TestTheAgentReportsOnlyCausesOfTheList(t *testing.T) {
	listed, used := map[string]bool{}, map[string]bool{}
	for _, declaration := range parse(t, "causes_gen.go").Decls {
		if variables, ok := declaration.(*ast.GenDecl); ok {
			for _, spec := range variables.Specs {
				if name := spec.(*ast.ValueSpec).Names[0].Name; strings.HasPrefix(name, "Cause") {
					listed[name] = true
				}
			}
		}
	}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || !strings.Contains(path, string(filepath.Separator)+"internal"+string(filepath.Separator)) {
			return err
		}
		ast.Inspect(parse(t, path), func(node ast.Node) bool {
			switch found := node.(type) {
			case *ast.CompositeLit:
				if is(found.Type, "Cause") {
					t.Errorf("%s makes a cause that is not in src/domain/failure", path)
				}
			case *ast.SelectorExpr:
				if found.Sel.Name == "UnmarshalText" {
					t.Errorf("%s reads a text that may be a cause outside src/domain/failure", path)
				}
				if listed[found.Sel.Name] {
					used[found.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(listed) < 50 {
		t.Errorf("only %d causes found", len(listed))
	}
	for name := range listed {
		if !used[name] {
			t.Errorf("%s is in the list, but no viewer fails by it: remove it from src/domain/failure, or set isOutsideAgent there", name)
		}
	}
}

func parse(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// is reports whether a type is that of package protocol.
func is(expression ast.Expr, name string) bool {
	selector, ok := expression.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	from, ok := selector.X.(*ast.Ident)
	return ok && from.Name == "protocol"
}
