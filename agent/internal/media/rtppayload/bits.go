package rtppayload

// bits reads a header bit by bit. After the end it returns zeros and is short.
type bits struct {
	data  []byte
	at    int
	short bool
}

func (b *bits) read(count int) (value int) {
	for range count {
		if b.at >= len(b.data)*8 {
			b.short = true
			return 0
		}
		value = value<<1 | int(b.data[b.at/8]>>(7-b.at%8)&1)
		b.at++
	}
	return value
}

func (b *bits) flag() bool { return b.read(1) == 1 }

func (b *bits) skip(count int) {
	if b.at += count; b.at > len(b.data)*8 {
		b.at, b.short = len(b.data)*8, true
	}
}

// expGolomb reads ue(v) of H.264 and H.265; AV1's uvlc() has the same code.
func (b *bits) expGolomb() int {
	zeros := 0
	for b.read(1) == 0 {
		if zeros++; b.short || zeros > 31 {
			b.short = true
			return 0
		}
	}
	return 1<<zeros - 1 + b.read(zeros)
}
