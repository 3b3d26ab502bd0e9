package media

import (
	"fmt"
	"os"
	"sync"
)

// maxLoaded is how many samples are kept in memory.
const maxLoaded = 8

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
	if len(l.versions) > maxLoaded {
		delete(l.samples, l.versions[0])
		l.versions = l.versions[1:]
	}
}
