// Package budget bounds what one whole input may cost. Parsers bound each part of an input; a budget bounds their sum,
// so that a small input can't take the memory or the time of a machine by what it means.
package budget

import (
	"fmt"
	"sync/atomic"
)

// Exceeded is the error of an input that exceeds a limit: a sentence without leading capital and full stop.
type Exceeded struct {
	// Input is what has too much, as in "the playlist".
	Input string
	// Limit is what it has too much of, as in "64 MB of addresses".
	Limit string
	// Fix is what to do; empty where the server has to change.
	Fix string
}

func (e *Exceeded) Error() string {
	sentence := fmt.Sprintf("%s has more than %s", e.Input, e.Limit)
	if e.Fix != "" {
		sentence += "; " + e.Fix
	}
	return sentence
}

// Budget is what one input may still use. It is for one goroutine.
type Budget struct {
	input, fix       string
	bytes, maxBytes  int64
	entries, maximum int64
}

// New is the budget of an input: the bytes that it may take in memory, and its entries of all kinds together. Sentences
// name the input, and what to do if it exceeds them.
func New(input string, bytes, entries int64, fix string) *Budget {
	return &Budget{input: input, fix: fix, bytes: bytes, maxBytes: bytes, entries: entries, maximum: entries}
}

// Bytes takes bytes, of something as in "addresses".
func (b *Budget) Bytes(of string, count int) error {
	if b.bytes -= int64(count); b.bytes < 0 || count < 0 {
		return &Exceeded{Input: b.input, Limit: fmt.Sprintf("%s of %s", Size(b.maxBytes), of), Fix: b.fix}
	}
	return nil
}

// Entries takes entries, of something as in "segments".
func (b *Budget) Entries(of string, count int64) error {
	if b.entries -= count; b.entries < 0 || count < 0 {
		return &Exceeded{Input: b.input, Limit: fmt.Sprintf("%d %s", b.maximum, of), Fix: b.fix}
	}
	return nil
}

// Size writes a number of bytes as people do.
func Size(bytes int64) string {
	const kilo, mega, giga = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes >= giga && bytes%giga == 0:
		return fmt.Sprintf("%d GB", bytes/giga)
	case bytes >= giga:
		return fmt.Sprintf("%.1f GB", float64(bytes)/giga)
	case bytes >= mega:
		return fmt.Sprintf("%d MB", bytes/mega)
	case bytes >= kilo:
		return fmt.Sprintf("%d kB", bytes/kilo)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Pool is the memory that many inputs share while they are received, such as the bodies of all viewers of a job.
type Pool struct {
	// Name is what the pool is for, as in "the playlists that are being received".
	Name string
	// Limit in bytes.
	Limit int64

	used atomic.Int64
}

// Take reserves bytes; it reserves none if they would exceed the limit.
func (p *Pool) Take(count int) error {
	if p.used.Add(int64(count)) > p.Limit {
		p.used.Add(-int64(count))
		return &Exceeded{Input: p.Name, Limit: Size(p.Limit) + " together", Fix: "use fewer viewers here, or a second tester"}
	}
	return nil
}

// Give returns bytes that were taken.
func (p *Pool) Give(count int) { p.used.Add(-int64(count)) }

// Used is how many bytes are taken.
func (p *Pool) Used() int64 { return p.used.Load() }
