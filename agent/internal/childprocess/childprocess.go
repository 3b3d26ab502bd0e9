// Package childprocess makes the commands of all programs that the agent starts. Arguments of a process are visible to
// every user of its machine, and its environment to its children: so a secret is passed on neither way, but by standard
// input or by a connection.
package childprocess

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// passedOn are the variables that programs need to find their files and to print text. All others stay: tokens of a
// container or a login, and FFREPORT, which makes ffmpeg write addresses to a file.
var passedOn = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
}

// prefixes are families of such variables: the locale, and the limits of Go's runtime for the agent's own program.
var prefixes = []string{"LC_", "DYLD_", "XDG_", "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK", "GOCOVERDIR", "GORACE"}

// Environment is the environment of a program.
func Environment() []string {
	environment := []string{"AV_LOG_FORCE_NOCOLOR=1"}
	for _, one := range os.Environ() {
		name, _, _ := strings.Cut(one, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		isNamed := slices.Contains(passedOn, name)
		if isNamed || slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			environment = append(environment, one)
		}
	}
	return environment
}

// Command is a program with its arguments, which must not have secrets.
func Command(path string, arguments ...string) *exec.Cmd {
	return CommandContext(context.Background(), path, arguments...)
}

// CommandContext is Command; the end of ctx ends the program.
func CommandContext(ctx context.Context, path string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, path, arguments...)
	command.Env = Environment()
	return command
}
