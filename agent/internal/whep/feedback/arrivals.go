package feedback

import "encoding/binary"

// Arrivals record when the packets of a session arrived, by their transport-wide sequence numbers, and write the
// feedback for the server's congestion control (draft-holmer-rmcat-transport-wide-cc-extensions-01). The zero value is
// empty. It takes 0.5 KB and allocates nothing.
type Arrivals struct {
	// ticks are arrival times in units of 250 us of Unix time, modulo 2^32; 0: not arrived. The index is from the
	// sequence number.
	ticks [arrivalRing]uint32
	// base is the first sequence number of the next feedback, end the one after the latest arrival.
	base, end uint16
	count     uint8 // of feedback packets
	started   bool
}

const (
	arrivalRing = 128
	// arrivalsFull leaves room for what arrives until the caller has sent.
	arrivalsFull = arrivalRing * 3 / 4
	tickNs       = 250_000
	// referenceShift is the shift to the reference time's unit, 64 ms.
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

// Receive records a packet's arrival. It is true when feedback should be sent early, because little room is left.
func (a *Arrivals) Receive(sequence uint16, at int64) (full bool) {
	tick := uint32(at / tickNs)
	if tick == 0 {
		tick = 1
	}
	ahead := int16(sequence - a.end)
	switch {
	case !a.started || ahead >= arrivalRing || ahead < -arrivalRing:
		*a = Arrivals{base: sequence, end: sequence + 1, count: a.count, started: true} // the first of all, or the sender restarted
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
		a.base = sequence // reported as missing before; everything since is reported again
	}
	a.ticks[sequence%arrivalRing] = tick
	return a.end-a.base >= arrivalsFull
}

// Pending reports whether feedback is due.
func (a *Arrivals) Pending() bool { return a.base != a.end }

// Append adds a feedback packet about what arrived since the last one. If two packets arrived more than 8 s apart it
// ends between them, since a delta can't represent that: Pending is then true.
func (a *Arrivals) Append(b []byte, ssrc, mediaSSRC uint32) []byte {
	if !a.Pending() {
		return b
	}
	var symbols [arrivalRing]uint8
	reference, reported := a.classify(&symbols)
	start := len(b)
	b = AppendHeader(b, feedbackTransportCC, transportFeedbackType, 0, ssrc)
	b = binary.BigEndian.AppendUint32(b, mediaSSRC)
	b = binary.BigEndian.AppendUint16(b, a.base)
	b = binary.BigEndian.AppendUint16(b, uint16(reported))
	b = binary.BigEndian.AppendUint32(b, reference<<8|uint32(a.count))
	b = appendChunks(b, symbols[:reported])
	last := reference << referenceShift
	for i, symbol := range symbols[:reported] {
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
	a.base += uint16(reported)
	a.count++
	return b
}

// classify finds the status of each packet from base on, as far as the deltas allow, and the reference time in its
// unit.
func (a *Arrivals) classify(symbols *[arrivalRing]uint8) (reference uint32, reported int) {
	var last uint32
	first := true
	for sequence := a.base; sequence != a.end; sequence++ {
		tick := a.ticks[sequence%arrivalRing]
		if tick == 0 {
			reported++
			continue
		}
		if first {
			first = false
			reference = tick >> referenceShift
			last = reference << referenceShift
		}
		delta := int32(tick - last)
		if delta != int32(int16(delta)) {
			return reference, reported
		}
		symbols[reported] = largeDelta
		if delta >= 0 && delta <= 0xff {
			symbols[reported] = smallDelta
		}
		last = tick
		reported++
	}
	return reference, reported
}

const (
	oneBitSymbols = 14
	twoBitSymbols = 7
	oneBitVector  = 0x8000
	twoBitVector  = 0xc000
)

// appendChunks writes runs if they are at least as good as vectors, and vectors of one bit a packet if no delta is
// large.
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
