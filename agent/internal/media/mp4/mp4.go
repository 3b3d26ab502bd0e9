// Package mp4 reads the samples of MP4 and MOV files that are not fragmented (ISO/IEC 14496-12, -15): enough to publish
// their coded video and audio without a change.
package mp4

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

const (
	// maxSamples bounds the samples of a track: an hour at 100 a second.
	maxSamples = 360_000
	// maxDepth bounds nested boxes.
	maxDepth = 8
)

// Sample is one coded picture or audio packet of a track.
type Sample struct {
	At       time.Duration // of decoding
	Length   time.Duration
	Data     []byte // a part of the file
	Keyframe bool
}

// Track is the video or the audio of a file.
type Track struct {
	// Codec is the type of its sample entry, such as avc1 or mp4a.
	Codec string
	// Config is the payload of its configuration box: avcC, hvcC, av1C, vpcC, dOps or esds.
	Config   []byte
	Samples  []Sample
	Duration time.Duration
	// Reordered: pictures are shown in another order than decoded (B-frames).
	Reordered bool
}

// File are the first video and the first audio track; nil if there is none.
type File struct {
	Video, Audio *Track

	placed uint64 // bytes of all samples
}

// errOverlap is the error of samples that are the same bytes of the file: what they take together is not bounded by it.
var errOverlap = errors.New("its samples overlap: together they are larger than the file; write it anew (ffmpeg -i FILE -c copy NEW.mp4)")

var errTruncated = errors.New("it is truncated or damaged")

// boxes calls visit with the type and the content of each box.
func boxes(data []byte, visit func(kind string, content []byte) error) error {
	for len(data) >= 8 {
		size, header := uint64(binary.BigEndian.Uint32(data)), uint64(8)
		kind := string(data[4:8])
		switch {
		case size == 1 && len(data) >= 16:
			size, header = binary.BigEndian.Uint64(data[8:]), 16
		case size == 0:
			size = uint64(len(data))
		}
		if size < header || size > uint64(len(data)) {
			return errTruncated
		}
		if err := visit(kind, data[header:size]); err != nil {
			return err
		}
		data = data[size:]
	}
	return nil
}

// Read reads a file.
func Read(data []byte) (*File, error) {
	f := &File{}
	hasMovie := false
	err := boxes(data, func(kind string, content []byte) error {
		switch kind {
		case "moof":
			return errors.New("it is fragmented; write it as one movie (ffmpeg -i FILE -c copy -movflags +faststart NEW.mp4)")
		case "moov":
			hasMovie = true
			return boxes(content, func(kind string, content []byte) error {
				if kind != "trak" {
					return nil
				}
				return f.addTrack(data, content)
			})
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case !hasMovie:
		return nil, errors.New("it is not an MP4 file with a movie box")
	case f.Video == nil:
		return nil, errors.New("it has no video")
	}
	return f, nil
}

// tables are the boxes of a track that describe its samples.
type tables struct {
	handler                string
	timescale              uint32
	codec                  string
	config                 []byte
	times, sizes, chunks   []byte
	offsets                []byte
	hasLongOffsets         bool
	keyframes, composition []byte
	isEncrypted            bool
}

func (f *File) addTrack(file, content []byte) error {
	var t tables
	if err := t.read(content, 0); err != nil {
		return err
	}
	into := map[string]**Track{"vide": &f.Video, "soun": &f.Audio}[t.handler]
	if into == nil || *into != nil {
		return nil
	}
	if t.isEncrypted {
		return errors.New("it is encrypted")
	}
	sizes, err := t.sampleSizes(uint64(len(file)))
	if err != nil {
		return err
	}
	for _, size := range sizes {
		f.placed += uint64(size)
	}
	if f.placed > uint64(len(file)) {
		return errOverlap
	}
	track, err := t.track(file, sizes)
	if err != nil {
		return err
	}
	*into = track
	return nil
}

func (t *tables) read(content []byte, depth int) error {
	if depth == maxDepth {
		return nil
	}
	return boxes(content, func(kind string, box []byte) error {
		switch kind {
		case "mdia", "minf", "stbl":
			return t.read(box, depth+1)
		case "hdlr":
			if len(box) >= 12 {
				t.handler = string(box[8:12])
			}
		case "mdhd":
			if at := 12; len(box) >= 24 && box[0] == 1 {
				t.timescale = binary.BigEndian.Uint32(box[20:])
			} else if len(box) >= at+4 {
				t.timescale = binary.BigEndian.Uint32(box[at:])
			}
		case "stsd":
			return t.readEntry(box)
		case "stts":
			t.times = box
		case "stsz":
			t.sizes = box
		case "stsc":
			t.chunks = box
		case "stco", "co64":
			t.offsets, t.hasLongOffsets = box, kind == "co64"
		case "stss":
			t.keyframes = box
		case "ctts":
			t.composition = box
		}
		return nil
	})
}

// readEntry reads the first sample entry.
func (t *tables) readEntry(box []byte) error {
	if len(box) < 8 {
		return errTruncated
	}
	return boxes(box[8:], func(kind string, entry []byte) error {
		if t.codec != "" {
			return nil
		}
		t.codec = kind
		t.isEncrypted = kind == "encv" || kind == "enca"
		head := 28 // of audio
		if kind != "mp4a" && kind != "Opus" && kind != "enca" {
			head = 78
		}
		if len(entry) < head {
			return errTruncated
		}
		return boxes(entry[head:], func(kind string, config []byte) error {
			switch kind {
			case "avcC", "hvcC", "av1C", "vpcC", "dOps", "esds":
				t.config = config
			}
			return nil
		})
	})
}

// table are the entries of a box with a count, of so many 32-bit numbers each.
func table(box []byte, numbers int) (entries [][]byte, err error) {
	if box == nil {
		return nil, nil
	}
	if len(box) < 8 {
		return nil, errTruncated
	}
	count, rest := uint64(binary.BigEndian.Uint32(box[4:])), box[8:]
	if count > maxSamples || count*uint64(4*numbers) > uint64(len(rest)) {
		return nil, errTruncated
	}
	for i := range int(count) {
		entries = append(entries, rest[4*numbers*i:4*numbers*(i+1)])
	}
	return entries, nil
}

func (t *tables) track(file []byte, sizes []uint32) (*Track, error) {
	track := &Track{Codec: t.codec, Config: t.config, Samples: make([]Sample, len(sizes))}
	if err := t.place(file, track, sizes); err != nil {
		return nil, err
	}
	if err := t.setTimes(track); err != nil {
		return nil, err
	}
	if err := t.setKeyframes(track); err != nil {
		return nil, err
	}
	offsets, err := table(t.composition, 2)
	if err != nil {
		return nil, err
	}
	for _, entry := range offsets {
		if first := offsets[0]; binary.BigEndian.Uint32(entry[4:]) != binary.BigEndian.Uint32(first[4:]) {
			track.Reordered = true
		}
	}
	return track, nil
}

// sampleSizes are those of all samples. They are in the file once each, so together they are no larger.
func (t *tables) sampleSizes(file uint64) (sizes []uint32, err error) {
	if t.timescale == 0 || len(t.sizes) < 12 || t.offsets == nil {
		return nil, errTruncated
	}
	same, count := binary.BigEndian.Uint32(t.sizes[4:]), binary.BigEndian.Uint32(t.sizes[8:])
	switch {
	case count == 0:
		return nil, errors.New("a track of it has no samples")
	case count > maxSamples:
		return nil, fmt.Errorf("a track of it has more than %d samples; use a shorter file", maxSamples)
	case same == 0 && uint64(len(t.sizes)) < 12+4*uint64(count):
		return nil, errTruncated
	case uint64(same)*uint64(count) > file:
		return nil, errOverlap
	}
	sizes = make([]uint32, count)
	for i := range sizes {
		if sizes[i] = same; same == 0 {
			sizes[i] = binary.BigEndian.Uint32(t.sizes[12+4*i:])
		}
	}
	return sizes, nil
}

// place finds the data of each sample: chunks have an offset each, and runs of chunks a number of samples.
func (t *tables) place(file []byte, track *Track, sizes []uint32) error {
	runs, err := table(t.chunks, 3)
	if err != nil {
		return err
	}
	width := 1
	if t.hasLongOffsets {
		width = 2
	}
	chunks, err := table(t.offsets, width)
	if err != nil || len(runs) == 0 {
		return errTruncated
	}
	next, run := 0, 0
	for i, chunk := range chunks {
		for run+1 < len(runs) && binary.BigEndian.Uint32(runs[run+1]) <= uint32(i+1) {
			run++
		}
		offset := uint64(binary.BigEndian.Uint32(chunk))
		if t.hasLongOffsets {
			offset = binary.BigEndian.Uint64(chunk)
		}
		for range binary.BigEndian.Uint32(runs[run][4:]) {
			if next == len(sizes) {
				return nil
			}
			end := offset + uint64(sizes[next])
			if end < offset || end > uint64(len(file)) {
				return errTruncated
			}
			track.Samples[next].Data = file[offset:end:end]
			offset = end
			next++
		}
	}
	if next < len(sizes) {
		return errTruncated
	}
	return nil
}

func (t *tables) setTimes(track *Track) error {
	runs, err := table(t.times, 2)
	if err != nil {
		return err
	}
	next, ticks := 0, uint64(0)
	at := func(ticks uint64) time.Duration {
		seconds, rest := ticks/uint64(t.timescale), ticks%uint64(t.timescale)
		return time.Duration(seconds)*time.Second + time.Duration(rest*uint64(time.Second)/uint64(t.timescale))
	}
	for _, run := range runs {
		length := uint64(binary.BigEndian.Uint32(run[4:]))
		for range binary.BigEndian.Uint32(run) {
			if next == len(track.Samples) {
				break
			}
			sample := &track.Samples[next]
			sample.At, sample.Length = at(ticks), at(ticks+length)-at(ticks)
			if ticks += length; sample.At > 24*time.Hour {
				return errors.New("it is longer than a day")
			}
			next++
		}
	}
	if next < len(track.Samples) {
		return errTruncated
	}
	track.Duration = at(ticks)
	return nil
}

// setKeyframes marks those listed; without a list all samples are.
func (t *tables) setKeyframes(track *Track) error {
	list, err := table(t.keyframes, 1)
	if err != nil {
		return err
	}
	for i := range track.Samples {
		track.Samples[i].Keyframe = t.keyframes == nil
	}
	for _, entry := range list {
		if number := binary.BigEndian.Uint32(entry); number >= 1 && number <= uint32(len(track.Samples)) {
			track.Samples[number-1].Keyframe = true
		}
	}
	return nil
}
