package feedback

import "encoding/binary"

// Arrivals remember when the packets of a session came, by their transport-wide sequence numbers, and write the feedback that congestion
// control in servers lives on (draft-holmer-rmcat-transport-wide-cc-extensions-01). The zero value is empty. It is 0.5 KB and allocates
// nothing.
type Arrivals struct {
	// ticks are arrival times in units of 250 us of Unix time, modulo 2^32; 0: not arrived. The place is the sequence number's.
	ticks [arrivalRing]uint32
	// base is the first sequence number that the next feedback tells of, end the one behind the latest that came.
	base, end uint16
	count     uint8 // of feedback packets
	started   bool
}

const (
	arrivalRing = 128
	// arrivalsFull leaves room for what comes until the caller has sent.
	arrivalsFull = arrivalRing * 3 / 4
	tickNs       = 250_000
	// referenceShift makes the reference time's unit, 64 ms.
	referenceShift      = 8
	feedbackTransportCC = 15
	paddingBit          = 0x20
)

// Packet status symbols, as in 2-bit vectors.
const (
	notReceived = iota
	smallDelta
	largeDelta
)

// Receive notes a packet's arrival. It is true when feedback should be sent without waiting for its time, because there is not much
// room left.
func (a *Arrivals) Receive(sequence uint16, at int64) (full bool) {
	tick := uint32(at / tickNs)
	if tick == 0 {
		tick = 1
	}
	ahead := int16(sequence - a.end)
	switch {
	case !a.started || ahead >= arrivalRing || ahead < -arrivalRing:
		*a = Arrivals{base: sequence, end: sequence + 1, count: a.count, started: true} // first of all, or the sender began anew
	case ahead >= 0:
		for missing := a.end; missing != sequence; missing++ {
			a.ticks[missing%arrivalRing] = 0
		}
		a.end = sequence + 1
		if a.end-a.base > arrivalRing {
			a.base = a.end - arrivalRing
		}
	case a.ticks[sequence%arrivalRing] != 0:
		return false // a duplicate
	case int16(sequence-a.base) < 0:
		a.base = sequence // told missing before; now what came since is told again
	}
	a.ticks[sequence%arrivalRing] = tick
	return a.end-a.base >= arrivalsFull
}

// Pending tells whether there is something to send feedback about.
func (a *Arrivals) Pending() bool { return a.base != a.end }

// Append adds a feedback packet about what arrived since the last one. Where two packets came more than 8 s apart it ends between
// them, since a delta can't hold that: Pending is true then.
func (a *Arrivals) Append(b []byte, ssrc, mediaSSRC uint32) []byte {
	if !a.Pending() {
		return b
	}
	var symbols [arrivalRing]uint8
	reference, told := a.judge(&symbols)
	start := len(b)
	b = AppendHeader(b, feedbackTransportCC, transportFeedbackType, 0, ssrc)
	b = binary.BigEndian.AppendUint32(b, mediaSSRC)
	b = binary.BigEndian.AppendUint16(b, a.base)
	b = binary.BigEndian.AppendUint16(b, uint16(told))
	b = binary.BigEndian.AppendUint32(b, reference<<8|uint32(a.count))
	b = appendChunks(b, symbols[:told])
	last := reference << referenceShift
	for i, symbol := range symbols[:told] {
		if symbol == notReceived {
			continue
		}
		tick := a.ticks[(a.base+uint16(i))%arrivalRing]
		if symbol == smallDelta {
			b = append(b, byte(tick-last))
		} else {
			b = binary.BigEndian.AppendUint16(b, uint16(tick-last))
		}
		last = tick
	}
	if unaligned := (len(b) - start) % 4; unaligned != 0 {
		padding := 4 - unaligned
		b = append(b, 0, 0, 0)[:len(b)+padding]
		b[len(b)-1] = byte(padding)
		b[start] |= paddingBit
	}
	binary.BigEndian.PutUint16(b[start+2:], uint16((len(b)-start)/4-1))
	a.base += uint16(told)
	a.count++
	return b
}

// judge finds the status of each packet from base on, as far as the deltas reach, and the reference time in its unit.
func (a *Arrivals) judge(symbols *[arrivalRing]uint8) (reference uint32, told int) {
	var last uint32
	first := true
	for sequence := a.base; sequence != a.end; sequence++ {
		tick := a.ticks[sequence%arrivalRing]
		if tick == 0 {
			told++
			continue
		}
		if first {
			first = false
			reference = tick >> referenceShift
			last = reference << referenceShift
		}
		delta := int32(tick - last)
		if delta != int32(int16(delta)) {
			return reference, told
		}
		symbols[told] = largeDelta
		if delta >= 0 && delta <= 0xff {
			symbols[told] = smallDelta
		}
		last = tick
		told++
	}
	return reference, told
}

const (
	oneBitSymbols = 14
	twoBitSymbols = 7
	oneBitVector  = 0x8000
	twoBitVector  = 0xc000
)

// appendChunks writes runs where they are at least as good as vectors, vectors of one bit a packet where no delta is large.
func appendChunks(b []byte, symbols []uint8) []byte {
	for len(symbols) > 0 {
		run := 1
		for run < len(symbols) && symbols[run] == symbols[0] {
			run++
		}
		oneBit := symbols[:min(oneBitSymbols, len(symbols))]
		small := true
		for _, symbol := range oneBit {
			small = small && symbol != largeDelta
		}
		used := min(twoBitSymbols, len(symbols))
		chunk := uint16(twoBitVector)
		switch {
		case run == len(symbols) || run >= oneBitSymbols || !small && run >= twoBitSymbols:
			used, chunk = run, uint16(symbols[0])<<13|uint16(run)
		case small:
			used, chunk = len(oneBit), oneBitVector
			for i, symbol := range oneBit {
				chunk |= uint16(symbol) << (oneBitSymbols - 1 - i)
			}
		default:
			for i, symbol := range symbols[:used] {
				chunk |= uint16(symbol) << (2 * (twoBitSymbols - 1 - i))
			}
		}
		b = binary.BigEndian.AppendUint16(b, chunk)
		symbols = symbols[used:]
	}
	return b
}
