package control

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Both sides prove that they know the token, without sending it: another program may listen at the address of an agent
// that has ended.
const (
	// proofScheme of Authorization is followed by the console's nonce.
	proofScheme = "Fullhouse "
	bearer      = "Bearer "
	// proofHeader of the response is the agent's nonce and its proof.
	proofHeader = "Fullhouse-Proof"
	// consoleSide and agentSide keep the proof of one side from being returned as that of the other.
	consoleSide = "console"
	agentSide   = "agent"
)

var noncePattern = regexp.MustCompile(`^[0-9a-f]{32,128}$`)

// proofOf is what a side presents: HMAC-SHA256 by the token over its name and both nonces.
func proofOf(token, side, consoleNonce, agentNonce string) string {
	sum := hmac.New(sha256.New, []byte(token))
	fmt.Fprintf(sum, "fullhouse %s %s %s", side, consoleNonce, agentNonce)
	return hex.EncodeToString(sum.Sum(nil))
}

func newNonce() string {
	data := make([]byte, 32)
	_, _ = rand.Read(data) // never fails
	return hex.EncodeToString(data)
}

// isSame compares in constant time, whatever the lengths.
func isSame(a, b string) bool {
	first, second := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(first[:], second[:]) == 1
}

// Handshake is a console's side of the proofs.
type Handshake struct{ token, nonce string }

// NewHandshake starts one connection.
func NewHandshake(token string) Handshake { return Handshake{token: token, nonce: newNonce()} }

// Header is the header of the request.
func (h Handshake) Header() http.Header {
	return http.Header{"Authorization": {proofScheme + h.nonce}}
}

// Answer checks the agent's proof in its response, and returns the first frame to send.
func (h Handshake) Answer(response http.Header) (frame string, err error) {
	agentNonce, proof, _ := strings.Cut(response.Get(proofHeader), " ")
	if !noncePattern.MatchString(agentNonce) || !isSame(proof, proofOf(h.token, agentSide, h.nonce, agentNonce)) {
		return "", errors.New("the program that listens there does not know the agent's token")
	}
	return `{"type":"proof","proof":"` + proofOf(h.token, consoleSide, h.nonce, agentNonce) + `"}`, nil
}
