package play

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/tcpreader"
)

func TestTry(t *testing.T) {
	for _, text := range strings.Fields(os.Getenv("TRY_RTMP")) {
		address, err := rtmp.ParseAddress(text)
		if err != nil {
			t.Fatal(err)
		}
		c := group(t, address, tcpreader.New)
		c.StageTimeout = 5 * time.Second
		c.common.StageTimeout = 5 * time.Second
		v, f := join(t, c)
		if f != nil {
			fmt.Println(text, f)
			continue
		}
		for i := 0; i < 50; i++ {
			time.Sleep(100 * time.Millisecond)
			if f := v.Tick(time.Now()); f != nil {
				fmt.Println(text, f)
				break
			}
		}
		r := v.Read(time.Now())
		fmt.Println(text, r.Frames, r.Packets, "first frame after", time.Duration(r.FirstFrameAt-r.FirstPacketAt), v.Codec, v.Frames.Broken)
	}
}
