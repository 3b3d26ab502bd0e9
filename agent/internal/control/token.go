package control

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ReadToken reads the token from the first line of standard input. It is never an argument: arguments are visible to
// every user of the machine.
func ReadToken(input io.Reader) (string, error) { return readToken(input, "standard input") }

// ReadTokenFile reads the token from the first line of a file, such as a mounted secret.
func ReadTokenFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("the token file can't be read: %w", err)
	}
	defer file.Close()
	return readToken(file, path)
}

// readToken names the source in errors, never the content.
func readToken(input io.Reader, source string) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(input, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the token from %s failed: %w", source, err)
	}
	token := strings.TrimRight(line, "\r\n")
	if len(token) < 16 || len(token) > 256 {
		return "", fmt.Errorf("the first line of %s must be a token of 16 to 256 characters; it has %d", source, len(token))
	}
	for _, character := range []byte(token) {
		if character <= ' ' || character > '~' {
			return "", fmt.Errorf("the token in %s may contain only printable ASCII characters without spaces", source)
		}
	}
	return token, nil
}
