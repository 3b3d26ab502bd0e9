//go:build !linux

package harvest

// Readers are those of this system.
func Readers() []Reader { return []Reader{Portable} }

var starts = map[Reader]func() (Loop, error){Portable: newPortable}
