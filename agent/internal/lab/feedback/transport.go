package feedback

import (
	"encoding/binary"
	"errors"
	"time"
)

// TransportReport is what one transport-wide feedback packet says.
type TransportReport struct {
	Base     uint16 // sequence number of the first packet it is about
	Count    int
	Received int
	// Delta is the time between the arrivals of the first and the last packet, those that were received.
	Delta time.Duration
	// Steps is how many gaps between arrivals that time has.
	Steps int
}

// What a status symbol says of a packet.
const (
	notReceived = iota
	smallDelta
	largeDelta
)

const deltaUnit = 250 * time.Microsecond

var errTransport = errors.New("malformed transport-wide feedback")

// ReadTransport reads a transport-wide feedback packet. All of it must be there: one that is short says nothing certain.
func ReadTransport(p Packet) (TransportReport, error) {
	if len(p.Body) < 12 {
		return TransportReport{}, errTransport
	}
	report := TransportReport{Base: binary.BigEndian.Uint16(p.Body[4:]), Count: int(binary.BigEndian.Uint16(p.Body[6:]))}
	rest := p.Body[12:] // after the reference time and the packet's number
	symbols := make([]uint8, 0, report.Count)
	for len(symbols) < report.Count {
		if len(rest) < 2 {
			return TransportReport{}, errTransport
		}
		symbols = appendChunk(symbols, binary.BigEndian.Uint16(rest), report.Count)
		rest = rest[2:]
	}
	for _, symbol := range symbols {
		var delta time.Duration
		switch {
		case symbol == notReceived:
			continue
		case symbol == smallDelta && len(rest) >= 1:
			delta, rest = time.Duration(rest[0])*deltaUnit, rest[1:]
		case symbol == largeDelta && len(rest) >= 2:
			delta, rest = time.Duration(int16(binary.BigEndian.Uint16(rest)))*deltaUnit, rest[2:]
		default:
			return TransportReport{}, errTransport
		}
		if report.Received++; report.Received > 1 { // the first is counted from the reference time
			report.Delta += delta
			report.Steps++
		}
	}
	return report, nil
}

// appendChunk adds the symbols of a run or of a vector, up to most.
func appendChunk(symbols []uint8, chunk uint16, most int) []uint8 {
	add := func(symbol uint16) {
		if len(symbols) < most {
			symbols = append(symbols, uint8(symbol))
		}
	}
	switch {
	case chunk>>15 == 0:
		for range chunk & 0x1fff {
			add(chunk >> 13 & 3)
		}
	case chunk>>14&1 == 0:
		for bit := 13; bit >= 0; bit-- {
			add(chunk >> bit & 1)
		}
	default:
		for bit := 12; bit >= 0; bit -= 2 {
			add(chunk >> bit & 3)
		}
	}
	return symbols
}
