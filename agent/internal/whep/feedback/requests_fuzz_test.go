package feedback

import (
	"bytes"
	"testing"
)

// FuzzFeedbackToASender feeds what a server may send to a publisher.
func FuzzFeedbackToASender(f *testing.F) {
	f.Add(AppendNACK(nil, 1, 7, []uint16{3, 4, 30}))
	f.Add(AppendPLI(AppendHeader(nil, 0, ReceiverReportType, 1, 1), 1, 7))
	f.Fuzz(func(t *testing.T, data []byte) {
		requested := 0
		Compound(data, func(kind byte, packet []byte) {
			_ = IsKeyframeRequest(kind, packet)
			Missing(kind, packet, 7, func(uint16) { requested++ })
		})
		if requested > 17*len(data)/4 {
			t.Errorf("%d packets requested by %d bytes", requested, len(data))
		}
	})
}

func TestARequestNamesItsPackets(t *testing.T) {
	var got []uint16
	visit := func(sequence uint16) { got = append(got, sequence) }
	request := AppendNACK(nil, 1, 7, []uint16{65530, 65535, 0, 9, 40})
	Missing(request[1], request, 7, visit)
	Missing(request[1], request, 8, visit) // another stream
	if len(got) != 5 || got[1] != 65535 || got[2] != 0 || got[3] != 9 || got[4] != 40 {
		t.Errorf("%v", got)
	}
	pli := AppendPLI(nil, 1, 7)
	if !IsKeyframeRequest(pli[1], pli) || IsKeyframeRequest(request[1], request) || bytes.Equal(pli, request) {
		t.Error("a PLI is not told apart from a NACK")
	}
}
