package shaper

import (
	"sync"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/netshape"
)

// Job is the network of one job.
type Job struct {
	shaper   *Shaper
	sharedBy int
	seed     uint64

	mutex    sync.Mutex
	schedule netshape.Schedule
	step     int
	start    int64
	links    []*link
	places   map[any]*place // by viewer
	paths    uint64         // so far
	down, up netshape.Counts
	// overflowed counts packets dropped because too many were held.
	overflowed uint64
}

// link is the bottleneck of so many viewers, one queue in each direction.
type link struct {
	down, up netshape.Queue
	viewers  int
}

// place is a viewer's place on a link, which all its connections share.
type place struct {
	link        *link
	connections int
}

// path is the way of one socket or connection over its viewer's link. Guarded by the job's mutex.
type path struct {
	job      *Job
	viewer   any
	link     *link
	down, up netshape.Path
	header   int // bytes that each packet has besides its payload
	left     bool
}

// Job makes the network of a job that starts now, with one bottleneck for each group of sharedBy viewers.
func (s *Shaper) Job(schedule netshape.Schedule, sharedBy int, seed uint64) *Job {
	return &Job{shaper: s, schedule: schedule, sharedBy: max(sharedBy, 1), seed: seed, start: monotonic.Nano(), places: map[any]*place{}}
}

// enter adds a connection of a viewer; a new viewer gets the first free place on a link.
func (j *Job) enter(viewer any, header int) *path {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	of := j.places[viewer]
	if of == nil {
		of = &place{link: j.freeLink()}
		of.link.viewers++
		j.places[viewer] = of
	}
	of.connections++
	number := 2 * j.paths
	j.paths++
	return &path{job: j, viewer: viewer, link: of.link, header: header, down: netshape.NewPath(j.seed, number), up: netshape.NewPath(j.seed, number+1)}
}

func (j *Job) freeLink() *link {
	for _, l := range j.links {
		if l.viewers < j.sharedBy {
			return l
		}
	}
	l := &link{}
	l.down.Shared, l.up.Shared = j.sharedBy > 1, j.sharedBy > 1
	j.links = append(j.links, l)
	return l
}

func (p *path) leave() {
	p.job.mutex.Lock()
	defer p.job.mutex.Unlock()
	if p.left {
		return
	}
	p.left = true
	of := p.job.places[p.viewer]
	if of.connections--; of.connections == 0 {
		p.link.viewers--
		delete(p.job.places, p.viewer)
	}
}

// network is the one in force. The mutex is held.
func (j *Job) network(now int64) *netshape.Network {
	for j.step+1 < len(j.schedule) && now-j.start >= int64(j.schedule[j.step+1].After) {
		j.step++
	}
	return &j.schedule[j.step].Network
}

// next decides on a packet.
func (p *path) next(now int64, bytes int, up bool) netshape.Outcome {
	j := p.job
	j.mutex.Lock()
	defer j.mutex.Unlock()
	network := j.network(now)
	bytes += p.header
	if up {
		outcome := p.up.Next(&network.Up, &p.link.up, now, bytes)
		j.up.Add(bytes, outcome)
		return outcome
	}
	outcome := p.down.Next(&network.Down, &p.link.down, now, bytes)
	j.down.Add(bytes, outcome)
	return outcome
}

// queue decides on data over TCP.
func (p *path) queue(now int64, bytes int, up bool) netshape.Outcome {
	j := p.job
	j.mutex.Lock()
	defer j.mutex.Unlock()
	network := j.network(now)
	if bytes > 0 {
		bytes += p.header * ((bytes + netshape.SegmentTCP - 1) / netshape.SegmentTCP)
	}
	if up {
		outcome := p.up.Queue(&network.Up, &p.link.up, now, bytes)
		j.up.Add(bytes, outcome)
		return outcome
	}
	outcome := p.down.Queue(&network.Down, &p.link.down, now, bytes)
	j.down.Add(bytes, outcome)
	return outcome
}

// roomAt is when the queue to the viewer is no longer full; until then nothing more is read from a TCP connection.
func (p *path) roomAt(now int64) int64 {
	p.job.mutex.Lock()
	defer p.job.mutex.Unlock()
	down := &p.job.network(now).Down
	if down.BitsPerSecond <= 0 || p.link.down.Free()-now <= down.QueueNs {
		return now
	}
	return p.link.down.Free() - down.QueueNs
}

// roundTrip is the delay of both directions now in force.
func (j *Job) roundTrip() time.Duration {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	network := j.network(monotonic.Nano())
	return time.Duration(network.Down.DelayNs + network.Up.DelayNs)
}

func (j *Job) overflow() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.overflowed++
}

// Direction is what happened in one direction since the last Sample.
type Direction struct {
	Packets [netshape.Rules]uint64
	Bytes   uint64 // that passed, with headers
	// LimitBitsPerSecond is the rate of all bottlenecks together, 0 if unlimited.
	LimitBitsPerSecond float64
	// WaitMedian and WaitMax are of the packets that passed, if any did.
	WaitMedian, WaitMax time.Duration
	Waited              bool
}

// Sample ends an interval. Overflowed counts the packets, since the start, that this machine dropped because it held
// too many.
func (j *Job) Sample() (down, up Direction, overflowed uint64) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	network, links := j.network(monotonic.Nano()), 0
	for _, l := range j.links {
		if l.viewers > 0 {
			links++
		}
	}
	return read(&j.down, network.Down.BitsPerSecond*float64(links)), read(&j.up, network.Up.BitsPerSecond*float64(links)), j.overflowed
}

func read(counts *netshape.Counts, limit float64) Direction {
	d := Direction{Packets: counts.Packets, Bytes: counts.Bytes, LimitBitsPerSecond: limit}
	d.WaitMedian, d.WaitMax, d.Waited = counts.Waits()
	counts.Packets, counts.Bytes = [netshape.Rules]uint64{}, 0
	return d
}
