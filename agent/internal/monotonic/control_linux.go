package monotonic

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// ControlSize is enough for what ReadControl reads.
const ControlSize = 64

// ReadControl finds in the control data of a read the kernel's arrival time, and how many were dropped before it, which
// is only reported if there were any. Without an arrival time, it is now.
func (s *Stamps) ReadControl(control []byte) (at int64, dropped uint32) {
	for len(control) >= unix.SizeofCmsghdr {
		header := (*unix.Cmsghdr)(unsafe.Pointer(&control[0]))
		size := int(header.Len)
		if size < unix.SizeofCmsghdr || size > len(control) {
			break
		}
		data := control[unix.CmsgLen(0):size]
		switch {
		case header.Level == unix.SOL_SOCKET && header.Type == unix.SO_TIMESTAMPNS && len(data) >= int(unsafe.Sizeof(unix.Timespec{})):
			at = s.Monotonic((*unix.Timespec)(unsafe.Pointer(&data[0])).Nano())
		case header.Level == unix.SOL_SOCKET && header.Type == unix.SO_RXQ_OVFL && len(data) >= 4:
			dropped = *(*uint32)(unsafe.Pointer(&data[0]))
		}
		control = control[min(unix.CmsgSpace(size-unix.CmsgLen(0)), len(control)):]
	}
	if at == 0 {
		at = Nano()
	}
	return at, dropped
}
