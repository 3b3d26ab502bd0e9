package play

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestFramesAreToldFromConfiguration(t *testing.T) {
	for text, want := range map[string]picture{
		"17 01 000000 aabb":               {true, true, "H.264"},
		"27 01 000000 aabb":               {true, false, "H.264"},
		"17 00 000000 0164":               {false, true, "H.264"}, // the decoder's configuration
		"17 02 000000":                    {false, true, "H.264"}, // the end of the sequence
		"1c 01 000000":                    {true, true, "H.265"},
		"12 aabb":                         {true, true, "H.263"},
		"34 aabb":                         {true, false, "VP6"},
		"47 01 000000":                    {true, true, "H.264"},   // made by the server
		"57 00":                           {false, false, "H.264"}, // a command
		"90 68766331 aabb":                {false, true, "H.265"},  // enhanced: start of the sequence
		"91 68766331 000000":              {true, true, "H.265"},
		"a3 61763031 aa":                  {true, false, "AV1"},
		"94 76703039":                     {false, true, "VP9"}, // metadata
		"96 01 76703039 00 aa":            {true, true, "VP9"},  // several tracks, the first
		"96 01 76703039 01 aa":            {false, true, "VP9"}, // the second
		"97 02 aabbcc 01 61766331 aa":     {true, true, "H.264"},
		"97 ff":                           {true, true, ""}, // longer than what is known of it
		"97":                              {},
		"":                                {},
		"97 ff 0003 aabbccdd 00 61766331": {false, true, "H.264"},
	} {
		raw, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := inspectVideo(raw); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]bool{"": false, "af00": false, "af01": true, "2f": true, "2fff": true, "90": true, "906d7034": false, "916d7034": true, "956d7034": true} {
		raw, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := isSound(raw); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
