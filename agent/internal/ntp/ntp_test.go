package ntp

import (
	"testing"
	"time"
)

func TestTimesOfBothErasAreConvertedAndBack(t *testing.T) {
	for _, text := range []string{"1970-01-01T00:00:00Z", "1985-12-30T10:00:00.5Z", "2026-11-25T12:34:56.789012345Z",
		"2036-02-07T06:28:15.999999999Z", "2036-02-07T06:28:16Z", "2038-01-19T03:14:08Z", "2099-12-31T23:59:59.999999999Z"} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := UnixNano(Timestamp(at.UnixNano())); got != at.UnixNano() {
			t.Errorf("%s becomes %s", text, time.Unix(0, got).UTC().Format(time.RFC3339Nano))
		}
	}
}

func TestTheHalvesOfATimestamp(t *testing.T) {
	// 2026-01-01 is 3,976,214,400 s after 1900.
	at := time.Date(2026, 1, 1, 0, 0, 0, 250_000_000, time.UTC)
	if got := Timestamp(at.UnixNano()); got != 3_976_214_400<<32|1<<30 {
		t.Errorf("%x", got)
	}
	if got := Middle(0x1111222233334444); got != 0x22223333 {
		t.Errorf("%x", got)
	}
}

func TestDifferencesHaveASign(t *testing.T) {
	for difference, want := range map[int64]int64{0: 0, 1 << 31: 500_000_000, -1 << 31: -500_000_000, -1 << 32: -1_000_000_000, 5<<32 | 1<<30: 5_250_000_000, -350 << 32 / 1000: -350_000_000} {
		if got := Nanoseconds(difference); got < want-1 || got > want+1 {
			t.Errorf("%x is %d ns, want %d", difference, got, want)
		}
	}
}
