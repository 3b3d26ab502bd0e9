package udpreader

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The used part of linux/io_uring.h.
const (
	opAsyncCancel = 14
	opRecvMsg     = 10

	setupCQSize       = 1 << 3
	setupSingleIssuer = 1 << 12
	setupDeferTaskrun = 1 << 13
	featSingleMmap    = 1 << 0

	enterGetEvents      = 1 << 0
	enterExtended       = 1 << 3
	signalMaskSize      = 8
	registerBufferRing  = 22
	offsetEntries       = 0x10000000
	flagBufferSelect    = 1 << 5
	recvMultishot       = 1 << 1
	completionHasBuffer = 1 << 0
	completionHasMore   = 1 << 1
	completionBufferAt  = 16
)

// setupParams is struct io_uring_params.
type setupParams struct {
	entries, completions, flags, threadCPU, threadIdle, features, poolOf uint32
	reserved                                                             [3]uint32
	submission                                                           struct {
		head, tail, mask, count, flags, dropped, array, reserved uint32
		userAddress                                              uint64
	}
	completion struct {
		head, tail, mask, count, overflow, entries, flags, reserved uint32
		userAddress                                                 uint64
	}
}

// waitArguments is struct io_uring_getevents_arg.
type waitArguments struct {
	mask              uint64
	maskSize, minWait uint32
	limit             uint64
}

// submission is struct io_uring_sqe.
type submission struct {
	operation, flags  uint8
	ioPriority        uint16
	descriptor        int32
	offset, address   uint64
	length, callFlags uint32
	userData          uint64
	bufferGroup       uint16
	personality       uint16
	fileIndex         int32
	address3, padding uint64
}

// completion is struct io_uring_cqe.
type completion struct {
	userData uint64
	result   int32
	flags    uint32
}

// buffer returns which of the ring's buffers was filled.
func (c completion) buffer() (id uint16, filled bool) {
	return uint16(c.flags >> completionBufferAt), c.flags&completionHasBuffer != 0
}

func (c completion) last() bool { return c.flags&completionHasMore == 0 }

// bufferEntry is struct io_uring_buf; the last two bytes of the first one are the tail of them all.
type bufferEntry struct {
	address uint64
	length  uint32
	idTail  uint32
}

// ring is an io_uring with one group of buffers, for one thread (io_uring_setup(2)).
type ring struct {
	descriptor  int
	rings       []byte
	entries     []byte
	submissions []submission
	completions []completion
	subHead     *uint32
	subTail     *uint32
	subArray    []uint32
	compHead    *uint32
	compTail    *uint32
	limit       *unix.Timespec
	wait        waitArguments // for limit

	bufferMemory []byte
	buffers      []bufferEntry
	data         []byte
	bufferSize   int
	tail         uint16
	firstID      uint16
}

func newRing(entries, completions, buffers, bufferSize int) (*ring, error) {
	params := setupParams{flags: setupCQSize | setupSingleIssuer | setupDeferTaskrun, completions: uint32(completions)}
	descriptor, _, number := unix.Syscall(unix.SYS_IO_URING_SETUP, uintptr(entries), uintptr(unsafe.Pointer(&params)), 0)
	if number != 0 {
		return nil, fmt.Errorf("io_uring is not available: %w", number)
	}
	r := &ring{descriptor: int(descriptor), bufferSize: bufferSize}
	r.limit = new(unix.Timespec)
	r.wait = waitArguments{maskSize: signalMaskSize, limit: uint64(uintptr(unsafe.Pointer(r.limit)))}
	if err := r.prepare(&params, buffers); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

func (r *ring) prepare(params *setupParams, buffers int) (err error) {
	if params.features&featSingleMmap == 0 {
		return errors.New("this kernel's io_uring is too old")
	}
	size := max(params.submission.array+params.entries*4, params.completion.entries+params.completions*uint32(unsafe.Sizeof(completion{})))
	const shared = unix.PROT_READ | unix.PROT_WRITE
	if r.rings, err = unix.Mmap(r.descriptor, 0, int(size), shared, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return fmt.Errorf("mapping the rings of io_uring failed: %w", err)
	}
	if r.entries, err = unix.Mmap(r.descriptor, offsetEntries, int(params.entries)*int(unsafe.Sizeof(submission{})), shared, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return fmt.Errorf("mapping the entries of io_uring failed: %w", err)
	}
	at := func(offset uint32) *uint32 { return (*uint32)(unsafe.Pointer(&r.rings[offset])) }
	r.subHead, r.subTail, r.compHead, r.compTail = at(params.submission.head), at(params.submission.tail), at(params.completion.head), at(params.completion.tail)
	r.subArray = unsafe.Slice(at(params.submission.array), params.entries)
	r.submissions = unsafe.Slice((*submission)(unsafe.Pointer(&r.entries[0])), params.entries)
	r.completions = unsafe.Slice((*completion)(unsafe.Pointer(&r.rings[params.completion.entries])), params.completions)

	const private = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS
	if r.bufferMemory, err = unix.Mmap(-1, 0, buffers*int(unsafe.Sizeof(bufferEntry{})), shared, private); err != nil {
		return fmt.Errorf("mapping the buffers of io_uring failed: %w", err)
	}
	if r.data, err = unix.Mmap(-1, 0, buffers*r.bufferSize, shared, private); err != nil {
		return fmt.Errorf("mapping the buffers of io_uring failed: %w", err)
	}
	r.buffers = unsafe.Slice((*bufferEntry)(unsafe.Pointer(&r.bufferMemory[0])), buffers)
	registration := struct {
		address  uint64
		entries  uint32
		group    uint16
		flags    uint16
		reserved [3]uint64
	}{address: uint64(uintptr(unsafe.Pointer(&r.bufferMemory[0]))), entries: uint32(buffers)}
	if _, _, number := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.descriptor), registerBufferRing, uintptr(unsafe.Pointer(&registration)), 1, 0, 0); number != 0 {
		return fmt.Errorf("io_uring refused the ring of buffers: %w", number)
	}
	for id := range buffers {
		r.recycle(uint16(id))
	}
	r.publish()
	return nil
}

func (r *ring) close() error {
	err := unix.Close(r.descriptor)
	for _, memory := range [][]byte{r.rings, r.entries, r.bufferMemory, r.data} {
		if memory != nil {
			err = errors.Join(err, unix.Munmap(memory))
		}
	}
	return err
}

// content is a filled buffer.
func (r *ring) content(id uint16, length int) []byte {
	at := int(id) * r.bufferSize
	return r.data[at : at+min(length, r.bufferSize)]
}

// recycle lets the kernel fill a buffer again, after publish.
func (r *ring) recycle(id uint16) {
	index := int(r.tail) & (len(r.buffers) - 1)
	entry := &r.buffers[index]
	entry.address, entry.length = uint64(uintptr(unsafe.Pointer(&r.data[int(id)*r.bufferSize]))), uint32(r.bufferSize)
	if index == 0 {
		r.firstID = id // shares a word with the tail, which publish writes
	} else {
		entry.idTail = uint32(id)
	}
	r.tail++
}

func (r *ring) publish() {
	atomic.StoreUint32(&r.buffers[0].idTail, uint32(r.tail)<<16|uint32(r.firstID))
}

// submit hands one operation to the kernel, which has accepted it when this returns; one that was not accepted is
// withdrawn.
func (r *ring) submit(operation submission) error {
	mask := uint32(len(r.submissions) - 1)
	tail := atomic.LoadUint32(r.subTail)
	r.submissions[tail&mask] = operation
	r.subArray[tail&mask] = tail & mask
	atomic.StoreUint32(r.subTail, tail+1)
	for {
		_, _, number := unix.RawSyscall6(unix.SYS_IO_URING_ENTER, uintptr(r.descriptor), 1, 0, 0, 0, 0)
		switch number {
		case 0:
			return nil
		case unix.EINTR, unix.EAGAIN:
		default:
			atomic.StoreUint32(r.subTail, tail)
			return fmt.Errorf("io_uring refused the operation: %w", number)
		}
	}
}

// collect sleeps until as many completions as it may take are due or the time is over, and appends them to list.
// Without a count to wait for, the kernel would process no more than 20 completions a call. The raw syscall bypasses
// the scheduler, see ticker.
func (r *ring) collect(maximum int, within time.Duration, list []completion) []completion {
	*r.limit = unix.NsecToTimespec(int64(within))
	_, _, _ = unix.RawSyscall6(unix.SYS_IO_URING_ENTER, uintptr(r.descriptor), 0, uintptr(maximum), enterGetEvents|enterExtended,
		uintptr(unsafe.Pointer(&r.wait)), unsafe.Sizeof(r.wait)) // timing out is the usual result; if interrupted, the rest is done at the next tick
	mask := uint32(len(r.completions) - 1)
	head, tail := *r.compHead, atomic.LoadUint32(r.compTail)
	for ; head != tail; head++ {
		list = append(list, r.completions[head&mask])
	}
	atomic.StoreUint32(r.compHead, head)
	return list
}
