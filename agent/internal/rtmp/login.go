package rtmp

import (
	"crypto/md5" // what the servers' methods use
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// Login answers servers that require a user and a password in connect. They refuse it with a challenge and close the
// connection, so each answer is for a new connection. Its zero value is ready.
type Login struct {
	// arguments are appended to the application.
	arguments string
	attempts  int
}

// maxAttempts are those that servers need: which method it is, the challenge, and the response.
const maxAttempts = 3

// Address is the address for the next connect.
func (l *Login) Address(of Address) Address {
	of.App += l.arguments
	return of
}

// Answer reads the description of a refused connect; false if it asks for nothing that can be answered.
func (l *Login) Answer(of Address, description string) bool {
	method, isKnown := methodOf(description)
	if !isKnown || of.User == "" {
		return false
	}
	if l.attempts++; l.attempts >= maxAttempts {
		return false
	}
	_, text, hasChallenge := strings.Cut(description, "?")
	challenge := valuesOf(text)
	if !hasChallenge {
		l.arguments = "?authmod=" + method + "&user=" + of.User
		return true
	}
	if challenge["reason"] != "needauth" {
		return false
	}
	if method == "llnw" {
		l.arguments = limelight(of, challenge["nonce"], nonce())
	} else {
		l.arguments = adobe(of, challenge, nonce())
	}
	return true
}

// RequiresLogin reports whether a server's description of a refused connect asks for a user and a password.
func RequiresLogin(description string) bool {
	_, isKnown := methodOf(description)
	return isKnown
}

func methodOf(description string) (method string, isKnown bool) {
	for _, method := range []string{"adobe", "llnw"} {
		if strings.Contains(description, "authmod="+method) {
			return method, true
		}
	}
	return "", false
}

// valuesOf reads arguments, whose values are not escaped: base64 may contain "=" and "+".
func valuesOf(text string) map[string]string {
	values := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimSpace(text), "&") {
		name, value, _ := strings.Cut(part, "=")
		values[name] = value
	}
	return values
}

func nonce() string {
	bytes := make([]byte, 4)
	_, _ = rand.Read(bytes) // never fails
	return hex.EncodeToString(bytes)
}

// adobe responds to a challenge of Adobe's access manager.
func adobe(of Address, challenge map[string]string, own string) string {
	hashed := func(text string) string {
		sum := md5.Sum([]byte(text))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	theirs := challenge["opaque"]
	if theirs == "" {
		theirs = challenge["challenge"]
	}
	arguments := "?authmod=adobe&user=" + of.User + "&challenge=" + own + "&response=" + hashed(hashed(of.User+challenge["salt"]+of.Password)+theirs+own)
	if challenge["opaque"] != "" {
		arguments += "&opaque=" + challenge["opaque"]
	}
	return arguments
}

// limelight responds to a challenge of Limelight: HTTP's digest, of a fixed realm and method.
func limelight(of Address, theirs, own string) string {
	hashed := func(parts ...string) string {
		sum := md5.Sum([]byte(strings.Join(parts, ":")))
		return hex.EncodeToString(sum[:])
	}
	const count = "00000001"
	app, _, _ := strings.Cut(of.App, "?")
	path := "/" + app
	if !strings.Contains(app, "/") {
		path += "/_definst_"
	}
	response := hashed(hashed(of.User, "live", of.Password), theirs, count, own, "auth", hashed("publish", path))
	return "?authmod=llnw&user=" + of.User + "&nonce=" + theirs + "&cnonce=" + own + "&nc=" + count + "&response=" + response
}
