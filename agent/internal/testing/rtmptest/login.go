package rtmptest

import (
	"crypto/md5" // what the method uses
	"encoding/base64"
	"fmt"
	"strings"

	"fullhouse/agent/internal/rtmp"
)

// RequireLogin refuses connect as a server with Adobe's access manager does, until it has the response for a user and a
// password; each refusal ends the connection.
func RequireLogin(user, password string) Reply {
	return func(c *Client, name string) bool {
		if name != "connect" {
			return false
		}
		facts, _ := c.To.Values[0].(map[string]any)
		app, _ := facts["app"].(string)
		tcURL, _ := facts["tcUrl"].(string)
		_, arguments, _ := strings.Cut(app, "?authmod=adobe&")
		values := map[string]string{}
		for part := range strings.SplitSeq(arguments, "&") {
			key, value, _ := strings.Cut(part, "=")
			values[key] = value
		}
		digest := func(text string) string {
			sum := md5.Sum([]byte(text))
			return base64.StdEncoding.EncodeToString(sum[:])
		}
		const salt, challenge = "c2FsdA==", "Y2hhbGxlbmdl"
		description := ""
		switch {
		case arguments == "" || !strings.HasSuffix(tcURL, app):
			description = "[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : "
		case values["response"] == "":
			description = fmt.Sprintf("[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=needauth&user=%s&salt=%s&challenge=%s&opaque=%s", values["user"], salt, challenge, challenge)
		case values["user"] != user || values["response"] != digest(digest(user+salt+password)+challenge+values["challenge"]):
			description = "[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=authfailed&opaque=" + challenge
		default:
			return false
		}
		c.Say(rtmp.TypeCommand, 0, rtmp.AppendAMF(nil, "_error", c.To.Transaction, nil, rtmp.Object{"level": "error", "code": "NetConnection.Connect.Rejected", "description": description}))
		_ = c.Close()
		return true
	}
}
