//go:build !linux

package udpreader

// Readers of this system.
func Readers() []Reader { return []Reader{Portable} }

var starts = map[Reader]func() (Loop, error){Portable: newPortable}
