package audience

import (
	"cmp"
	"slices"

	"fullhouse/agent/internal/protocol"
)

// maxLayers is how many layers a job has; servers could make up more.
const maxLayers = 16

// layerShares are the layers that viewers of a job receive, from the largest. A layer that nobody receives any more stays
// in the list, with 0 viewers.
type layerShares []protocol.LayerShare

// add counts a viewer.
func (l *layerShares) add(width, height int) {
	one := protocol.LayerShare{Width: width, Height: height, Viewers: 1}
	at, isKnown := slices.BinarySearchFunc(*l, one, func(a, b protocol.LayerShare) int {
		return cmp.Or(cmp.Compare(b.Width*b.Height, a.Width*a.Height), cmp.Compare(b.Width, a.Width))
	})
	switch {
	case isKnown:
		(*l)[at].Viewers++
	case len(*l) < maxLayers:
		*l = slices.Insert(*l, at, one)
	}
}

// take returns the counts of an interval, and starts the next.
func (l *layerShares) take() []protocol.LayerShare {
	counts := slices.Clone(*l)
	for i := range *l {
		(*l)[i].Viewers = 0
	}
	return counts
}
