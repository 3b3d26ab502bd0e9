package relay

import (
	"crypto/md5" // what RFC 2617 specifies
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// credentials answer a server's challenge: Basic, or Digest of RFC 7616 by MD5 or SHA-256.
type credentials struct {
	user, password string

	mutex     sync.Mutex
	scheme    string
	realm     string
	nonce     string
	opaque    string
	algorithm string
	hasQop    bool
	uses      int
}

func credentialsOf(target *url.URL) credentials {
	password, _ := target.User.Password()
	return credentials{user: target.User.Username(), password: password}
}

// parameter is one of a challenge.
var parameter = regexp.MustCompile(`(\w+)\s*=\s*(?:"([^"]*)"|([^\s,]+))`)

// challenge takes what the server requires; false if there is nothing to answer it with.
func (c *credentials) challenge(response *message) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.user == "" && c.password == "" {
		return false
	}
	c.scheme = ""
	for _, value := range response.all("WWW-Authenticate") {
		scheme, rest, _ := strings.Cut(value, " ")
		parameters := map[string]string{}
		for _, match := range parameter.FindAllStringSubmatch(rest, -1) {
			parameters[strings.ToLower(match[1])] = match[2] + match[3]
		}
		algorithm := strings.ToUpper(parameters["algorithm"])
		isDigest := strings.EqualFold(scheme, "Digest") && (algorithm == "" || algorithm == "MD5" || algorithm == "SHA-256")
		if isDigest || c.scheme == "" && strings.EqualFold(scheme, "Basic") {
			c.scheme = strings.ToLower(scheme)
			c.realm, c.nonce, c.opaque, c.algorithm = parameters["realm"], parameters["nonce"], parameters["opaque"], algorithm
			c.hasQop, c.uses = strings.Contains(parameters["qop"], "auth"), 0
		}
		if isDigest {
			break
		}
	}
	return c.scheme != ""
}

// authorize is the value of a request's header; empty before a challenge.
func (c *credentials) authorize(method, address string) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch c.scheme {
	case "basic":
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.user+":"+c.password))
	case "digest":
		return c.digest(method, address)
	}
	return ""
}

func (c *credentials) digest(method, address string) string {
	var algorithm hash.Hash = md5.New()
	if c.algorithm == "SHA-256" {
		algorithm = sha256.New()
	}
	hashed := func(parts ...string) string {
		algorithm.Reset()
		_, _ = algorithm.Write([]byte(strings.Join(parts, ":"))) // never fails
		return hex.EncodeToString(algorithm.Sum(nil))
	}
	first, second := hashed(c.user, c.realm, c.password), hashed(method, address)
	value := fmt.Sprintf(`Digest username="%s", realm="%s", nonce="%s", uri="%s"`, c.user, c.realm, c.nonce, address)
	if c.hasQop {
		c.uses++
		count, clientNonce := fmt.Sprintf("%08x", c.uses), random()
		value += fmt.Sprintf(`, response="%s", qop=auth, nc=%s, cnonce="%s"`, hashed(first, c.nonce, count, clientNonce, "auth", second), count, clientNonce)
	} else {
		value += fmt.Sprintf(`, response="%s"`, hashed(first, c.nonce, second))
	}
	if c.algorithm != "" {
		value += ", algorithm=" + c.algorithm
	}
	if c.opaque != "" {
		value += fmt.Sprintf(`, opaque="%s"`, c.opaque)
	}
	return value
}
