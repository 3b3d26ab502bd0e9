package control

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ReadToken reads the token from the first line of input. It is never an argument: arguments are visible to every user
// of the machine.
func ReadToken(input io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(input, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the token from standard input failed: %w", err)
	}
	token := strings.TrimRight(line, "\r\n")
	if len(token) < 16 || len(token) > 256 {
		return "", fmt.Errorf("the first line of standard input must be a token of 16 to 256 characters; it has %d", len(token))
	}
	for _, character := range []byte(token) {
		if character <= ' ' || character > '~' {
			return "", errors.New("the token on standard input may contain only printable ASCII characters without spaces")
		}
	}
	return token, nil
}
