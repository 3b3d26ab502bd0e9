package udpreader

// Readers of this system, the least expensive first. The kernel's rules may still forbid one.
func Readers() []Reader { return []Reader{IOUring, Epoll, Portable} }

var starts = map[Reader]func() (Loop, error){IOUring: newUring, Epoll: newEpoll, Portable: newPortable}
