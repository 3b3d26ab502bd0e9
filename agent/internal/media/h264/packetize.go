package h264

import "encoding/binary"

// Packetize makes RTP payloads of at most limit bytes from one access unit (RFC 6184, packetization-mode 1). Parameter
// sets share one STAP-A, so that a keyframe needs one packet more instead of two.
func Packetize(unit AccessUnit, limit int) [][]byte {
	var payloads [][]byte
	var sets [][]byte
	for _, nal := range unit.NALs {
		if kind := nal[0] & typeMask; kind == typeSPS || kind == typePPS {
			sets = append(sets, nal)
			continue
		}
		if len(sets) > 0 {
			payloads, sets = append(payloads, aggregate(sets)), nil
		}
		if len(nal) <= limit {
			payloads = append(payloads, nal)
		} else {
			payloads = append(payloads, fragment(nal, limit)...)
		}
	}
	return payloads
}

func aggregate(nals [][]byte) []byte {
	payload := []byte{typeAggregate}
	for _, nal := range nals {
		payload[0] = max(payload[0]&importanceMask, nal[0]&importanceMask) | typeAggregate
		payload = binary.BigEndian.AppendUint16(payload, uint16(len(nal)))
		payload = append(payload, nal...)
	}
	return payload
}

// fragment cuts into pieces of about the same size: two half-full packets survive a queue better than a full and an
// almost empty one.
func fragment(nal []byte, limit int) [][]byte {
	body := nal[1:]
	pieces := (len(body) + limit - fragmentHeaderLen - 1) / (limit - fragmentHeaderLen)
	payloads := make([][]byte, 0, pieces)
	for i := range pieces {
		from, to := i*len(body)/pieces, (i+1)*len(body)/pieces
		header := nal[0] & typeMask
		if i == 0 {
			header |= fragmentStart
		}
		if i == pieces-1 {
			header |= fragmentEnd
		}
		payload := make([]byte, 0, fragmentHeaderLen+to-from)
		payload = append(payload, nal[0]&importanceMask|typeFragment, header)
		payloads = append(payloads, append(payload, body[from:to]...))
	}
	return payloads
}

// StartsKeyframe reports whether an RTP payload contains an SPS or the start of an IDR picture.
func StartsKeyframe(payload []byte) bool {
	if len(payload) < fragmentHeaderLen {
		return false
	}
	switch payload[0] & typeMask {
	case typeSPS, typeIDR:
		return true
	case typeFragment:
		return payload[1]&fragmentStart != 0 && payload[1]&typeMask == typeIDR
	case typeAggregate:
		return findAggregated(payload, typeSPS) != nil || findAggregated(payload, typeIDR) != nil
	}
	return false
}

// FindSPS returns the SPS in an RTP payload, nil for none.
func FindSPS(payload []byte) []byte {
	if len(payload) == 0 {
		return nil
	}
	switch payload[0] & typeMask {
	case typeSPS:
		return payload
	case typeAggregate:
		return findAggregated(payload, typeSPS)
	}
	return nil
}

func findAggregated(payload []byte, kind byte) []byte {
	for rest := payload[1:]; len(rest) > 2; {
		size := int(binary.BigEndian.Uint16(rest))
		if rest = rest[2:]; size == 0 || size > len(rest) {
			return nil
		}
		if rest[0]&typeMask == kind {
			return rest[:size]
		}
		rest = rest[size:]
	}
	return nil
}
