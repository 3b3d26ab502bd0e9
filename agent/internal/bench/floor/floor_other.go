//go:build !linux

package floor

import (
	"context"
	"errors"
)

// Receiver is on Linux only.
type Receiver struct{ Counters }

// Open fails: the floor is measured on Linux.
func Open(Mode, int) (*Receiver, error) {
	return nil, errors.New("the floor is measured on Linux only")
}

// Ports are none.
func (*Receiver) Ports() []uint16 { return nil }

// Close does nothing.
func (*Receiver) Close() {}

// Run does nothing.
func (*Receiver) Run(context.Context) error { return nil }
