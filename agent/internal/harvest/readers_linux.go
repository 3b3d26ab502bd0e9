package harvest

// Readers are those of this system, the cheapest first; that it is listed does not promise that the kernel's rules allow it.
func Readers() []Reader { return []Reader{IOUring, Epoll, Portable} }

var starts = map[Reader]func() (Loop, error){IOUring: newUring, Epoll: newEpoll, Portable: newPortable}
