package audience

import (
	"slices"
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestLayersAreCountedFromTheLargest(t *testing.T) {
	var l layerShares
	if l.take() != nil {
		t.Error("layers without a viewer")
	}
	for _, size := range [][2]int{{320, 180}, {1280, 720}, {320, 180}, {180, 320}} {
		l.add(size[0], size[1])
	}
	if got := l.take(); !slices.Equal(got, []protocol.LayerShare{{Width: 1280, Height: 720, Viewers: 1}, {Width: 320, Height: 180, Viewers: 2}, {Width: 180, Height: 320, Viewers: 1}}) {
		t.Errorf("%+v", got)
	}
	l.add(320, 180)
	if got := l.take(); len(got) != 3 || got[0].Viewers != 0 || got[1].Viewers != 1 {
		t.Errorf("%+v", got)
	}
	for i := range 1000 {
		l.add(i+1, 1)
	}
	if got := l.take(); len(got) != maxLayers {
		t.Errorf("%d layers", len(got))
	}
}
