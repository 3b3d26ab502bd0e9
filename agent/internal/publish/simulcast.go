package publish

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

// maxApart is how much the lengths of layers may differ: about a frame, which encoders add or drop at the end.
const maxApart = 100 * time.Millisecond

// smallerLayers loads the further layers of simulcast, the largest first.
func (p *Publications) smallerLayers(names []string, largest *media.Sample, warnings *[]string) (layers []*media.Sample, err error) {
	if len(names) >= protocol.MaxLayers {
		return nil, control.BadRequest("Simulcast has up to %d layers, so up to %d beside the largest; %d were given.", protocol.MaxLayers, protocol.MaxLayers-1, len(names))
	}
	for _, name := range names {
		sample, err := p.SampleOf(name)
		if err != nil {
			return nil, err
		}
		if sample.Codec != largest.Codec {
			return nil, control.BadRequest("The layers of simulcast have one codec; %s is %s and %s is %s.", largest.Name, largest.Codec, sample.Name, sample.Codec)
		}
		layers = append(layers, sample)
	}
	area := func(s *media.Sample) int { return s.Width * s.Height }
	slices.SortStableFunc(layers, func(a, b *media.Sample) int { return cmp.Compare(area(b), area(a)) })
	larger := largest
	for _, sample := range layers {
		if area(sample) >= area(larger) {
			return nil, control.BadRequest("The layers of simulcast have different sizes, the source the largest; %s has %dx%d and %s %dx%d.",
				larger.Name, larger.Width, larger.Height, sample.Name, sample.Width, sample.Height)
		}
		if apart := (sample.Duration - largest.Duration).Abs(); apart > maxApart {
			*warnings = append(*warnings, fmt.Sprintf("%s and %s differ in length by %.1f s, so after the first loop their pictures are not the same when the server switches.",
				largest.Name, sample.Name, apart.Seconds()))
		}
		larger = sample
	}
	return layers, nil
}

// refusedLayers says which layers a server does not receive; empty if it receives all.
func refusedLayers(host string, received, offered int) string {
	switch {
	case offered == 1 || received == offered:
		return ""
	case received == 0:
		return fmt.Sprintf("%s accepted no simulcast; only the largest layer is published.", host)
	}
	return fmt.Sprintf("%s accepted %d of the %d layers.", host, received, offered)
}
