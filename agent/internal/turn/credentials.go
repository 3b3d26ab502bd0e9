package turn

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/pion/stun/v3"
)

// Credentials are those of a user, or a secret shared with the server from which temporary ones are made.
type Credentials struct {
	Username string
	Password string
	Secret   string
}

// temporaryFor is how long temporary credentials are valid. Servers check them at each new allocation only.
const temporaryFor = 24 * time.Hour

// resolve makes temporary credentials from a shared secret, as coturn's use-auth-secret expects them: the user name
// starts with the time of expiry in Unix seconds, and the password is its HMAC-SHA1 (draft-uberti-behave-turn-rest).
func (c Credentials) resolve(now time.Time) (username, password string) {
	if c.Secret == "" {
		return c.Username, c.Password
	}
	username = fmt.Sprint(now.Add(temporaryFor).Unix())
	if c.Username != "" {
		username += ":" + c.Username
	}
	sum := hmac.New(sha1.New, []byte(c.Secret))
	_, _ = sum.Write([]byte(username)) // never fails
	return username, base64.StdEncoding.EncodeToString(sum.Sum(nil))
}

// session is the state of the long-term credential mechanism (RFC 8489, 9.2).
type session struct {
	username, password string
	realm, nonce       string
	key                stun.MessageIntegrity // nil until the server has sent its realm
}

// challenged takes realm and nonce of a 401 or 438 response; false if it has none.
func (s *session) challenged(response *stun.Message) bool {
	var nonce stun.Nonce
	if nonce.GetFrom(response) != nil {
		return false
	}
	var realm stun.Realm
	if realm.GetFrom(response) == nil && (realm.String() != s.realm || s.key == nil) {
		s.realm = realm.String()
		s.key = stun.NewLongTermIntegrity(s.username, s.realm, s.password)
	}
	s.nonce = nonce.String()
	return s.key != nil
}

// sign appends the credentials to a request; nothing before the first challenge.
func (s *session) sign(m *stun.Message) error {
	if s.key == nil {
		return nil
	}
	for _, setter := range []stun.Setter{stun.NewUsername(s.username), stun.NewRealm(s.realm), stun.NewNonce(s.nonce), s.key} {
		if err := setter.AddTo(m); err != nil {
			return err
		}
	}
	return nil
}
