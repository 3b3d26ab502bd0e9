package media

import (
	"fmt"
	"os"
	"sync"
)

const (
	// maxLoaded is how many samples are kept in memory, and maxLoadedBytes their size together; one is kept in any case.
	maxLoaded      = 8
	maxLoadedBytes = 256 << 20
)

// loadedSamples are the latest samples by the version of their files: hundreds of publishers share one.
type loadedSamples struct {
	mutex    sync.Mutex
	versions []string
	samples  map[string]*Sample
}

var loaded = loadedSamples{samples: map[string]*Sample{}}

// versionOf changes when one of the files does.
func versionOf(paths ...string) (version string) {
	for _, path := range paths {
		if about, err := os.Stat(path); err == nil {
			version += fmt.Sprintf("%s %d %d\n", path, about.Size(), about.ModTime().UnixNano())
		}
	}
	return version
}

func (l *loadedSamples) find(version string) *Sample {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.samples[version]
}

func (l *loadedSamples) keep(version string, sample *Sample) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.samples[version] == nil {
		l.versions = append(l.versions, version)
	}
	l.samples[version] = sample
	total := 0
	for _, sample := range l.samples {
		total += sample.size()
	}
	for len(l.versions) > maxLoaded || total > maxLoadedBytes && len(l.versions) > 1 {
		total -= l.samples[l.versions[0]].size()
		delete(l.samples, l.versions[0])
		l.versions = l.versions[1:]
	}
}

// size is what a sample takes in memory.
func (s *Sample) size() int {
	bytes := packetCost * len(s.Packets)
	for _, packet := range s.Packets {
		bytes += len(packet.Payload)
	}
	return bytes
}
