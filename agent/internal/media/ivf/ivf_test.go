package ivf

import (
	"encoding/binary"
	"os"
	"testing"
	"time"

	"fullhouse/agent/internal/testing/crafted"
)

func file(rate, scale uint32, stamps ...uint64) []byte {
	data := append([]byte("DKIF\x00\x00\x20\x00VP80"), 160, 0, 90, 0)
	data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(data, rate), scale)
	data = append(data, make([]byte, 8)...)
	for i, stamp := range stamps {
		data = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(data, uint32(i+1)), stamp)
		data = append(data, make([]byte, i+1)...)
	}
	return data
}

func TestTimesAreThoseOfTheTimeBase(t *testing.T) {
	read, err := Read(file(30000, 1001, 7, 8, 37))
	if err != nil || read.FourCC != "VP80" || len(read.Frames) != 3 || len(read.Frames[2].Data) != 3 {
		t.Fatalf("%+v, %v", read, err)
	}
	if read.Frames[0].At != 0 || read.Frames[1].At.Round(time.Microsecond) != 33367*time.Microsecond || read.Frames[2].At != 1001*time.Millisecond {
		t.Errorf("%v", read.Frames)
	}
	for _, wrong := range [][]byte{file(30, 1, 5, 4), file(1, 1, 0, 1<<62), file(0, 1, 0), file(30, 1)} {
		if read, err := Read(wrong); err == nil {
			t.Errorf("%+v", read)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(30000, 1001, 7, 8, 37))
	if data, err := os.ReadFile("../testdata/vp8.ivf"); err == nil {
		f.Add(data[:200])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer crafted.Watch(t)(len(data))
		read, err := Read(data)
		if err != nil {
			return
		}
		for _, frame := range read.Frames {
			if frame.At < 0 || len(frame.Data) == 0 {
				t.Errorf("%s, %d bytes", frame.At, len(frame.Data))
			}
		}
	})
}
