//go:build !linux

package push

import "syscall"

// connection has no figures where the system has none.
func (s *Session) connection(syscall.RawConn) (state Connection, known bool) {
	return Connection{}, false
}
