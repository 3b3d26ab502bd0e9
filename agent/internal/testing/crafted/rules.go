package crafted

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// numbers are the values that fields with a size, a count or an offset are set to.
var numbers = []uint64{0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 1 << 20, 1<<24 - 1, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1}

// texts are the values that fields of a text are set to.
var texts = []string{"0", "1", "-1", "2147483647", "2147483648", "4294967295", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
	"1e308", "0.000000001", "NaN", "", "PT0S", "PT24H", "P364D", strings.Repeat("9", 400), strings.Repeat("x", 20_000), strings.Repeat("$Number%032d$", 1000),
	strings.Repeat("$RepresentationID$", 1000), strings.Repeat("../", 2000), "http://other/" + strings.Repeat("y", 5000)}

// maxInput keeps repeated inputs small: their meaning is to be large, not they.
const maxInput = 256 << 10

// Binary makes variants of binary inputs by rules: each field of 1 to 8 bytes at each place with each number, parts
// repeated, nested and overlapping. At most limit, spread evenly.
func Binary(limit int, seeds ...[]byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for i := range limit {
			seed := seeds[i%len(seeds)]
			data, name := slices.Clone(seed), fmt.Sprintf("seed %d", i%len(seeds))
			for range 1 + i%3 { // up to three changes
				what := ""
				data, what = changeBinary(data, random)
				name += ", " + what
			}
			if !yield(name, data[:min(len(data), maxInput)]) {
				return
			}
		}
	}
}

func changeBinary(data []byte, random *rand.Rand) ([]byte, string) {
	if len(data) == 0 {
		return data, "nothing"
	}
	at := random.IntN(len(data))
	switch random.IntN(8) {
	case 0, 1, 2, 3: // a field
		width := 1 << random.IntN(4)
		value := numbers[random.IntN(len(numbers))]
		field := binary.BigEndian.AppendUint64(nil, value)[8-width:]
		if random.IntN(4) == 0 {
			slices.Reverse(field)
		}
		copy(data[at:], field)
		return data, fmt.Sprintf("%d at byte %d of %d bytes", value, at, width)
	case 4: // a part repeated
		part := data[at:min(len(data), at+1+random.IntN(64))]
		times := 1 + random.IntN(1+maxInput/2/len(part))
		return slices.Concat(data[:at], bytes.Repeat(part, times), data[at:]), fmt.Sprintf("%d bytes at %d repeated %d times", len(part), at, times)
	case 5: // the whole nested in itself
		return slices.Concat(data[:at], data, data[at:]), fmt.Sprintf("nested at %d", at)
	case 6: // the whole repeated
		times := 1 + random.IntN(1+maxInput/2/len(data))
		return bytes.Repeat(data, times), fmt.Sprintf("all repeated %d times", times)
	}
	return data[:at], fmt.Sprintf("cut at %d", at)
}

// Text makes variants of texts by rules: numbers and quoted values replaced, lines and parts repeated and nested. At most
// limit, spread evenly.
func Text(limit int, seeds ...string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for i := range limit {
			text, name := seeds[i%len(seeds)], fmt.Sprintf("seed %d", i%len(seeds))
			for range 1 + i%3 {
				what := ""
				text, what = changeText(text, random)
				name += ", " + what
			}
			if !yield(name, []byte(text[:min(len(text), maxInput)])) {
				return
			}
		}
	}
}

func changeText(text string, random *rand.Rand) (changed, what string) {
	if text == "" {
		return text, "nothing"
	}
	at := random.IntN(len(text))
	switch random.IntN(6) {
	case 0, 1, 2: // a value
		from, to := valueAt(text, at)
		value := texts[random.IntN(len(texts))]
		return text[:from] + value + text[to:], fmt.Sprintf("%.20q at %d", value, from)
	case 3: // a line or an element repeated
		from, to := strings.LastIndexAny(text[:at], "\n<{,")+1, len(text)
		if end := strings.IndexAny(text[at:], "\n>},"); end >= 0 {
			to = at + end + 1
		}
		part := text[max(0, from-1):to]
		times := 1 + random.IntN(1+maxInput/2/len(part))
		return text[:max(0, from-1)] + strings.Repeat(part, times) + text[to:], fmt.Sprintf("%.20q repeated %d times", part, times)
	case 4:
		times := 1 + random.IntN(1+maxInput/2/len(text))
		return strings.Repeat(text, times), fmt.Sprintf("all repeated %d times", times)
	}
	return text[:at] + text + text[at:], fmt.Sprintf("nested at %d", at)
}

// valueAt is the number, or what is in quotes, at or after a place.
func valueAt(text string, at int) (from, to int) {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' || r == '.' }
	if quote := strings.IndexByte(text[at:], '"'); quote >= 0 && at%2 == 0 {
		from = at + quote + 1
		if end := strings.IndexByte(text[from:], '"'); end >= 0 {
			return from, from + end
		}
	}
	digit := strings.IndexFunc(text[at:], isDigit)
	if digit < 0 {
		return at, at
	}
	from = at + digit
	rest := strings.TrimLeftFunc(text[from:], isDigit)
	return from, len(text) - len(rest)
}

// All joins several sequences of inputs.
func All(sequences ...iter.Seq2[string, []byte]) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, sequence := range sequences {
			for name, input := range sequence {
				if !yield(name, input) {
					return
				}
			}
		}
	}
}

// Named are inputs that someone thought of.
func Named(inputs map[string][]byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range slices.Sorted(maps.Keys(inputs)) {
			if !yield(name, inputs[name]) {
				return
			}
		}
	}
}
