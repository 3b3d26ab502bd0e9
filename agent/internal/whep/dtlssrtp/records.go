package dtlssrtp

import "github.com/pion/dtls/v3/pkg/protocol/alert"

// Content types of DTLS records (RFC 6347).
const (
	recordChangeCipherSpec = 20
	// RecordAlert is the record type with which a server ends a session.
	RecordAlert     = 21
	recordHandshake = 22
)

// Types of the handshake messages that start a flight or belong to a peer's second-to-last one (RFC 5246).
const (
	clientHello        = 1
	serverHello        = 2
	helloVerify        = 3
	certificateMessage = 11
	serverKeyExchange  = 12
	certificateRequest = 13
	serverHelloDone    = 14
	certificateVerify  = 15
	clientKeyExchange  = 16
)

const recordHeader = 13

// record is one DTLS record of a datagram.
type record struct {
	kind  byte
	epoch uint16
	body  []byte
	whole []byte
}

// message is the type of the handshake message that a plain record starts, 0 if it is encrypted or continues an earlier
// one.
func (r record) message() byte {
	const fragmentOffset, handshakeHeader = 6, 12
	if r.kind != recordHandshake || r.epoch != 0 || len(r.body) < handshakeHeader {
		return 0
	}
	if at := r.body[fragmentOffset : fragmentOffset+3]; at[0]|at[1]|at[2] != 0 {
		return 0
	}
	return r.body[0]
}

// alert is the alert in a plain record; a warning ends nothing, except close_notify.
func (r record) alert() (alert.Description, bool) {
	if r.kind != RecordAlert || r.epoch != 0 || len(r.body) < 2 {
		return 0, false
	}
	description := alert.Description(r.body[1])
	return description, r.body[0] == byte(alert.Fatal) || description == alert.CloseNotify
}

// records calls visit with each record of a datagram; false if it does not consist of complete DTLS records.
func records(datagram []byte, visit func(record)) bool {
	for len(datagram) > 0 {
		if len(datagram) < recordHeader || datagram[1] != 0xfe {
			return false
		}
		size := recordHeader + int(datagram[11])<<8 + int(datagram[12])
		if size > len(datagram) {
			return false
		}
		visit(record{kind: datagram[0], epoch: uint16(datagram[3])<<8 | uint16(datagram[4]), body: datagram[recordHeader:size], whole: datagram[:size]})
		datagram = datagram[size:]
	}
	return true
}
