package link

import (
	"bytes"
	"compress/flate"
	"io"
)

const (
	// packSize is how many records are packed together: samples of one job are much alike, and shrink to a tenth.
	packSize = 64
	// unpackedPacks is how much stays as it is, for connections that are a little behind.
	unpackedPacks = 2
)

// pack holds packSize records, one a line: JSON as it is encoded here has no line ends of its own.
type pack []byte

// opened is the pack that was read last: who replays reads one record after the other.
type opened struct {
	first   uint64 // of its records; 0 when there is none
	records [][]byte
}

// pack packs the oldest of what is recent, and drops packs of which no record is kept any more. The caller holds the mutex.
func (r *Records) pack() {
	if len(r.recent) < (unpackedPacks+1)*packSize {
		return
	}
	r.packed = append(r.packed, newPack(r.recent[:packSize]))
	r.recent = append([][]byte(nil), r.recent[packSize:]...)
	for len(r.packed) > 0 && r.first()+packSize <= r.oldest() {
		r.packed = append([]pack(nil), r.packed[1:]...)
	}
}

// first is the sequence of the first packed record, or of the first recent one when nothing is packed.
func (r *Records) first() uint64 {
	return r.latest + 1 - uint64(len(r.recent)) - uint64(len(r.packed))*packSize
}

// at finds a record that is kept. The caller holds the mutex.
func (r *Records) at(sequence uint64) []byte {
	index := sequence - r.first()
	if packs := uint64(len(r.packed)); index >= packs*packSize {
		return r.recent[index-packs*packSize]
	}
	first := sequence - index%packSize
	if r.opened.first != first {
		r.opened = opened{first, r.packed[index/packSize].open()}
	}
	return r.opened.records[index%packSize]
}

func newPack(records [][]byte) pack {
	var packed bytes.Buffer
	writer, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err == nil {
		_, err = writer.Write(bytes.Join(records, []byte("\n")))
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		panic("records can't be packed: " + err.Error()) // a buffer takes everything, and the level exists
	}
	return bytes.Clone(packed.Bytes())
}

func (p pack) open() [][]byte {
	content, err := io.ReadAll(flate.NewReader(bytes.NewReader(p)))
	if err != nil {
		panic("packed records can't be read: " + err.Error()) // nobody but newPack writes them
	}
	return bytes.Split(content, []byte("\n"))
}
