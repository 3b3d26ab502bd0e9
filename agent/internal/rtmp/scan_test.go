package rtmp

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"fullhouse/agent/internal/flv"
	"fullhouse/agent/internal/testing/crafted"
)

// recordingSink records what a Scanner finds.
type recordingSink struct{ lines []string }

func (j *recordingSink) Media(m flv.Message) {
	j.lines = append(j.lines, fmt.Sprintf("media %d at %d: %d bytes %x", m.Kind, m.Timestamp, m.Length, m.Head))
}

func (j *recordingSink) Control(kind byte, payload []byte) error {
	j.lines = append(j.lines, fmt.Sprintf("control %d: %x", kind, payload))
	return nil
}

// scanned in pieces of the sizes in cuts, cyclically; no cuts: in one piece.
func scanAll(wire, cuts []byte) (lines []string, scanner *Scanner, err error) {
	j := &recordingSink{}
	s := &Scanner{Sink: j}
	for i := 0; len(wire) > 0 && err == nil; i++ {
		piece := len(wire)
		if len(cuts) > 0 {
			piece = min(piece, int(cuts[i%len(cuts)])+1)
		}
		err = s.Write(wire[:piece])
		wire = wire[piece:]
	}
	return j.lines, s, err
}

func unhex(t *testing.T, lines ...string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// same compares what is found in one piece, byte by byte, and in a mixture.
func same(t *testing.T, wire []byte, want ...string) {
	t.Helper()
	for _, cuts := range [][]byte{nil, {0}, {2, 0, 30, 6}} {
		lines, s, err := scanAll(wire, cuts)
		if err != nil || strings.Join(lines, "\n") != strings.Join(want, "\n") || s.Received != uint64(len(wire)) || s.held != 0 {
			t.Errorf("in pieces of %v: %v, %d bytes received, %d held\n%s", cuts, err, s.Received, s.held, strings.Join(lines, "\n"))
		}
	}
}

func TestTheScannerFindsMessagesOfAllForms(t *testing.T) {
	same(t, unhex(t,
		"03 000064 000003 09 01000000 aaaaaa",        // full
		"43 000010 000002 08 bbbb",                   // same stream, 16 ms on
		"83 000005 cccc",                             // same length, 5 ms on
		"c3 dddd",                                    // the same again, 5 ms on
		"02 000000 000004 01 00000000 00000002",      // chunks of 2 bytes from here
		"04 000000 000003 12 02000000 e1e2",          // first piece
		"05 ffffff 000003 09 02000000 01000000 f1f2", // between them, with a long timestamp
		"c4 e3",
		"c5 01000000 f3",
		"04 000000 000003 12 02000000 9999", // starts, and is aborted
		"02 000000 000004 02 00000000 0000 c2 0004",
		"04 000007 000001 14 02000000 77",
		"00 06 000000 000001 09 00000000 66",   // chunk stream 70
		"01 0601 000000 000001 08 00000000 55", // chunk stream 64 + 6 + 256
		"03 000000 000000 08 00000000",         // empty
		"03 000000 000001 63 00000000 11"),     // of an unknown type
		"media 9 at 100: 3 bytes aaaaaa", "media 8 at 116: 2 bytes bbbb", "media 8 at 121: 2 bytes cccc", "media 8 at 126: 2 bytes dddd",
		"media 18 at 0: 3 bytes e1e2e3", "media 9 at 16777216: 3 bytes f1f2f3", "control 20: 77",
		"media 9 at 0: 1 bytes 66", "media 8 at 0: 1 bytes 55", "media 8 at 0: 0 bytes ")
}

// TestLongTimestampsOfAllServers reads long timestamps that are repeated in each chunk, as specified, and that are
// not, as with some servers.
func TestLongTimestampsOfAllServers(t *testing.T) {
	same(t, unhex(t,
		"02 000000 000004 01 00000000 00000004",
		"06 ffffff 000006 09 01000000 01000028 a1a2a3a4", "c6 01000028 a5a6",
		"06 ffffff 000006 09 01000000 01000050 b1b2b3b4", "c6 b5b6",
		"06 000000 000001 09 01000000 cc"),
		"media 9 at 16777256: 6 bytes a1a2a3a4a5a6", "media 9 at 16777296: 6 bytes b1b2b3b4b5b6", "media 9 at 0: 1 bytes cc")
}

func TestAggregatesAreSeveralMessages(t *testing.T) {
	tag := func(kind string, time, size string, data string) string {
		return kind + size + time + "000000" + data + "00000000"
	}
	body := unhex(t, tag("09", "00006400", "000003", "17bbcc"), tag("08", "00007800", "000002", "af01"), tag("0f", "00007800", "000001", "00"),
		tag("09", "00008c00", "000014", strings.Repeat("27", 20)), tag("09", "0000ff00", "0000ff", "2701"))
	wire := AppendChunks(nil, 6, Message{Kind: TypeAggregate, Timestamp: 1000, Payload: body}, FirstChunkSize)
	wire = AppendChunks(wire, 6, Message{Kind: TypeVideo, Timestamp: 2000, Payload: []byte{1}}, FirstChunkSize)
	same(t, wire, "media 9 at 1000: 3 bytes 17bbcc", "media 8 at 1020: 2 bytes af01", "media 9 at 1040: 20 bytes "+strings.Repeat("27", HeadBytes),
		"media 9 at 2000: 1 bytes 01")
}

func TestTheScannerRefusesInvalidRTMP(t *testing.T) {
	many := []byte{}
	for number := range byte(maxChunkStreams + 1) {
		many = append(many, 0, number, 0, 0, 0, 0, 0, 0, TypeVideo, 0, 0, 0, 0)
	}
	hoard := []byte{}
	for number := range byte(3) { // commands that never end
		hoard = append(hoard, 10+number, 0, 0, 0, 0, 0x3f, 0xff, TypeCommand, 0, 0, 0, 0)
		hoard = append(hoard, make([]byte, FirstChunkSize)...)
	}
	for range 126 {
		for number := range byte(3) {
			hoard = append(append(hoard, 0xc0|10+number), make([]byte, FirstChunkSize)...)
		}
	}
	for name, wire := range map[string][]byte{
		"starts without a header": unhex(t, "c3 00"),
		"chunks of nothing":       unhex(t, "02 000000 000004 01 00000000 00000000"),
		"a chunk size too large":  unhex(t, "02 000000 000004 01 00000000 ffffffff"),
		"a short size":            unhex(t, "02 000000 000002 01 00000000 0001"),
		"a huge command":          unhex(t, "03 000000 ffffff 14 00000000 00"),
		"a large ping":            unhex(t, "02 000000 000100 04 00000000 00"),
		"starts twice":            append(append(unhex(t, "03 000000 000100 09 00000000"), make([]byte, 128)...), unhex(t, "03 000000 000001 09 00000000 00")...),
		"too many chunk streams":  many,
		"hoards":                  hoard,
	} {
		for _, cuts := range [][]byte{nil, {0}} {
			if lines, _, err := scanAll(wire, cuts); err == nil {
				t.Errorf("%s: %v", name, lines)
			}
		}
	}
}

func TestNothingIsAllocatedForMedia(t *testing.T) {
	wire := AppendChunks(nil, 6, Message{Kind: TypeVideo, Payload: make([]byte, 5000)}, FirstChunkSize)
	wire = AppendChunks(wire, 4, Message{Kind: TypeAudio, Payload: make([]byte, 300)}, FirstChunkSize)
	s := &Scanner{Sink: discardSink{}}
	if err := s.Write(wire); err != nil {
		t.Fatal(err)
	}
	if count := testing.AllocsPerRun(100, func() { _ = s.Write(wire) }); count != 0 {
		t.Errorf("%v allocations", count)
	}
}

type discardSink struct{}

func (discardSink) Media(flv.Message)          {}
func (discardSink) Control(byte, []byte) error { return nil }

// FuzzScanner feeds a hostile server's bytes in any pieces: the results are the same as in one piece, and little is
// kept.
func FuzzScanner(f *testing.F) {
	f.Add(AppendChunks(nil, 3, Message{Kind: TypeCommand, Payload: AppendAMF(nil, "onStatus", 0.0, nil, Object{"code": "NetStream.Play.Start"})}, FirstChunkSize), []byte{0, 5})
	f.Add(AppendChunks(nil, 4, Message{Kind: TypeVideo, Timestamp: extended + 5, Payload: make([]byte, 300)}, FirstChunkSize), []byte{1})
	f.Add([]byte{0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0xc2, 0, 4}, []byte{3})
	f.Add(AppendChunks(nil, 4, Message{Kind: TypeAggregate, Payload: []byte{9, 0, 0, 1, 0, 0, 5, 0, 0, 0, 0, 0x17, 0, 0, 0, 12}}, FirstChunkSize), []byte{7, 0})
	f.Fuzz(func(t *testing.T, wire, cuts []byte) {
		defer crafted.Watch(t)(len(wire))
		complete, s, completeErr := scanAll(wire, nil)
		pieces, _, piecesErr := scanAll(wire, cuts)
		if fmt.Sprint(completeErr) != fmt.Sprint(piecesErr) || strings.Join(complete, "\n") != strings.Join(pieces, "\n") {
			t.Fatalf("%v, in pieces %v\n%s\n--\n%s", completeErr, piecesErr, strings.Join(complete, "\n"), strings.Join(pieces, "\n"))
		}
		kept := 0
		for _, of := range s.streams {
			kept += cap(of.body)
		}
		if s.held < 0 || s.held > maxHeldBytes || kept > 4*maxHeldBytes || len(s.streams) > maxChunkStreams {
			t.Fatalf("%d bytes held, %d kept, %d chunk streams", s.held, kept, len(s.streams))
		}
	})
}

// FuzzScannerAgainstReader makes the two chunk parsers read the same valid messages.
func FuzzScannerAgainstReader(f *testing.F) {
	f.Add([]byte{9, 0, 0, 40, 8, 1, 0, 10, 20, 0, 0, 5}, uint16(100))
	f.Fuzz(func(t *testing.T, plan []byte, chunkSize uint16) {
		size := int(chunkSize)%5000 + 1
		wire := AppendChunks(nil, 2, Message{Kind: TypeSetChunkSize, Payload: binary.BigEndian.AppendUint32(nil, uint32(size))}, FirstChunkSize)
		for ; len(plan) >= 4; plan = plan[4:] {
			kind := []byte{TypeAudio, TypeVideo, TypeData, TypeCommand}[plan[0]%4]
			wire = AppendChunks(wire, 3+plan[0]%8, Message{Kind: kind, Timestamp: uint32(plan[1])<<17 + uint32(plan[2]), Payload: bytes.Repeat(plan[3:4], int(plan[3])*8)}, size)
		}
		var want []string
		for r := NewChunkReader(bytes.NewReader(wire)); ; {
			m, err := r.Next()
			if err != nil {
				break
			}
			if m.Kind == TypeCommand {
				want = append(want, fmt.Sprintf("control %d: %x", m.Kind, m.Payload))
			} else {
				want = append(want, fmt.Sprintf("media %d at %d: %d bytes %x", m.Kind, m.Timestamp, len(m.Payload), m.Payload[:min(len(m.Payload), HeadBytes)]))
			}
		}
		if got, _, err := scanAll(wire, []byte{200, 3}); err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%v\n%s\n--\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
