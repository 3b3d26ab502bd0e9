package control

import (
	"bytes"
	"compress/flate"
	"io"
)

const (
	// blockSize is how many records are compressed together: samples of one job are very similar, and compress to a
	// tenth.
	blockSize = 64
	// uncompressedBlocks is how much stays uncompressed, for connections that are slightly behind.
	uncompressedBlocks = 2
)

// compressedBlock contains blockSize records, one a line: the encoded JSON contains no line breaks.
type compressedBlock []byte

// lastBlock is the block that was read last: a replay reads one record after the other.
type lastBlock struct {
	first   uint64 // of its records; 0 for none
	records [][]byte
}

// compressOldest compresses the oldest of the recent records, and drops blocks of which no record is kept any more. The
// caller holds the mutex.
func (r *Records) compressOldest() {
	if len(r.recent) < (uncompressedBlocks+1)*blockSize {
		return
	}
	r.compressed = append(r.compressed, compress(r.recent[:blockSize]))
	r.recent = append([][]byte(nil), r.recent[blockSize:]...)
	for len(r.compressed) > 0 && r.first()+blockSize <= r.oldest() {
		r.compressed = append([]compressedBlock(nil), r.compressed[1:]...)
	}
}

// first is the sequence of the first compressed record, or of the first recent one when nothing is compressed.
func (r *Records) first() uint64 {
	return r.latest + 1 - uint64(len(r.recent)) - uint64(len(r.compressed))*blockSize
}

// at finds a kept record. The caller holds the mutex.
func (r *Records) at(sequence uint64) []byte {
	index := sequence - r.first()
	if blocks := uint64(len(r.compressed)); index >= blocks*blockSize {
		return r.recent[index-blocks*blockSize]
	}
	first := sequence - index%blockSize
	if r.lastBlock.first != first {
		r.lastBlock = lastBlock{first, r.compressed[index/blockSize].decompress()}
	}
	return r.lastBlock.records[index%blockSize]
}

func compress(records [][]byte) compressedBlock {
	var compressed bytes.Buffer
	writer, err := flate.NewWriter(&compressed, flate.BestSpeed)
	if err == nil {
		_, err = writer.Write(bytes.Join(records, []byte("\n")))
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		panic("packing records failed: " + err.Error()) // a buffer accepts everything, and the level exists
	}
	return bytes.Clone(compressed.Bytes())
}

func (b compressedBlock) decompress() [][]byte {
	content, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	if err != nil {
		panic("unpacking records failed: " + err.Error()) // only compress writes them
	}
	return bytes.Split(content, []byte("\n"))
}
