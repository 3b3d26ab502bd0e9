package tester

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/protocol"
)

// machine is a folder with the files of /proc and /sys for a test.
type machine struct {
	t    *testing.T
	root string
}

func newMachine(t *testing.T) machine { return machine{t, t.TempDir()} }

func (m machine) set(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// second is the sample of exactly one second between the state before and after `change`.
func (m machine) second(change func()) protocol.TesterSample {
	meter := &Meter{config: Config{Root: m.root, Threads: func() []int { return []int{0, 7, 8} }}}
	before := meter.read()
	change()
	return sampleOf(before, meter.read(), time.Second)
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 0.01 {
		t.Errorf("%s: %v, want %v", what, pointed(got), want)
	}
}

func pointed[V any](value *V) any {
	if value == nil {
		return nil
	}
	return *value
}

func TestASystemWithoutFiguresGivesAnEmptySample(t *testing.T) {
	if s := newMachine(t).second(func() {}); s != (protocol.TesterSample{}) {
		t.Errorf("%+v", s)
	}
}

func TestWhatASystemDoesNotReportIsNamed(t *testing.T) {
	all := []protocol.TesterResource{protocol.TesterResourceCPU, protocol.TesterResourceMemory, protocol.TesterResourceNetwork}
	if got := Unmeasured(Config{Root: t.TempDir()}); !slices.Equal(got, all) {
		t.Errorf("without /proc: %v", got)
	}
	if got := Unmeasured(Config{}); len(got) != 0 {
		t.Errorf("here: %v", got)
	}
}

func TestTheProcessorsOfTheMachine(t *testing.T) {
	m := newMachine(t)
	m.set("proc/stat", "cpu  1000 0 500 8000 500 0 10 0 77 0\ncpu0 1 2 3 4 5\n")
	s := m.second(func() { m.set("proc/stat", "cpu  1100 0 540 8030 520 0 10 10 99 0\n") })
	near(t, "host CPU", s.HostCPUPercent, 75) // 150 of 200: stolen time is not available to us
}

func TestAQuotaBelowTheMachinesCores(t *testing.T) {
	for name, files := range map[string][2]map[string]string{
		"version 2": {{"proc/self/cgroup": "0::/pod/box\n", "sys/fs/cgroup/pod/cpu.max": "50000 100000\n", "sys/fs/cgroup/pod/box/cpu.max": "max 100000\n",
			"sys/fs/cgroup/pod/cpu.stat": "usage_usec 1000000\nnr_throttled 3\n"}, {"sys/fs/cgroup/pod/cpu.stat": "usage_usec 1480000\nnr_throttled 9\n"}},
		"version 2 as its own root": {{"proc/self/cgroup": "0::/pod/box\n", "sys/fs/cgroup/cpu.max": "50000 100000\n",
			"sys/fs/cgroup/cpu.stat": "usage_usec 1000000\n"}, {"sys/fs/cgroup/cpu.stat": "usage_usec 1480000\n"}},
		"version 1": {{"proc/self/cgroup": "4:cpu,cpuacct:/box\n2:memory:/\n", "sys/fs/cgroup/cpu/box/cpu.cfs_quota_us": "50000\n", "sys/fs/cgroup/cpu/box/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/cpuacct/box/cpuacct.usage": "1000000000\n"}, {"sys/fs/cgroup/cpuacct/box/cpuacct.usage": "1480000000\n"}},
	} {
		m := newMachine(t)
		m.set("proc/stat", "cpu  0 0 0 1000 0 0 0 0\n")
		for path, text := range files[0] {
			m.set(path, text)
		}
		s := m.second(func() {
			m.set("proc/stat", "cpu  60 0 0 1140 0 0 0 0\n")
			for path, text := range files[1] {
				m.set(path, text)
			}
		})
		near(t, name, s.HostCPUPercent, 96)
	}
	m := newMachine(t)
	m.set("proc/self/cgroup", "0::/\n")
	m.set("sys/fs/cgroup/cpu.max", "max 100000\n")
	m.set("sys/fs/cgroup/cpu.stat", "usage_usec 1\n")
	if s := m.second(func() {}); s.HostCPUPercent != nil {
		t.Errorf("no quota, and yet %v", *s.HostCPUPercent)
	}
}

func TestTheBusiestReadingThread(t *testing.T) {
	m := newMachine(t)
	m.set("proc/self/task/7/schedstat", "1000000000 500000000 100\n")
	m.set("proc/self/task/8/schedstat", "0 0 1\n")
	s := m.second(func() {
		m.set("proc/self/task/7/schedstat", "1930000000 540000000 900\n")
		m.set("proc/self/task/8/schedstat", "100000000 310000000 900\n")
	})
	near(t, "busy", s.ReaderBusyPercent, 93)
	near(t, "waiting", s.ReaderWaitPercent, 31)
}

func TestDatagramsThatTheMachineDropped(t *testing.T) {
	snmp := func(errors string) string {
		return "Ip: Forwarding\nIp: 1\nUdp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\nUdp: 9 9 9 9 " + errors + " 9\nUdpLite: InDatagrams\nUdpLite: 5\n"
	}
	m := newMachine(t)
	m.set("proc/net/snmp", snmp("100"))
	m.set("proc/net/snmp6", "Udp6InDatagrams                 \t35566\nUdp6RcvbufErrors                \t7\n")
	m.set("proc/net/softnet_stat", "02569a2c 0000000f 00000004\n02199585 00000001 00000005\n")
	m.set("proc/net/dev", "Inter-| Receive | Transmit\n face |bytes packets\n  lo: 5 5 0 0 0 0 0 0 5 5 0 0 0 0 0 0\neth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n")
	m.set("sys/class/net/eth0/device/vendor", "")
	m.set("sys/class/net/eth0/statistics/rx_missed_errors", "3\n")
	s := m.second(func() {
		m.set("proc/net/snmp", snmp("140"))
		m.set("proc/net/snmp6", "Udp6RcvbufErrors\t9\n")
		m.set("proc/net/softnet_stat", "02569a2c 0000001f 00000004\n02199585 00000001 00000005\n")
		m.set("sys/class/net/eth0/statistics/rx_missed_errors", "7\n")
	})
	if s.ReceiveBufferErrors == nil || *s.ReceiveBufferErrors != 42 {
		t.Errorf("receive buffer errors: %v, want 42", pointed(s.ReceiveBufferErrors))
	}
	if s.NetworkDrops == nil || *s.NetworkDrops != 20 {
		t.Errorf("network drops: %v, want 20", pointed(s.NetworkDrops))
	}
}

func TestMemoryOfTheMachineOrOfItsContainer(t *testing.T) {
	m := newMachine(t)
	m.set("proc/meminfo", "MemTotal:       8000 kB\nMemFree:        1 kB\nMemAvailable:   6000 kB\n")
	if s := m.second(func() {}); *s.MemoryAvailableBytes != 6000<<10 || *s.MemoryTotalBytes != 8000<<10 {
		t.Errorf("%d of %d", *s.MemoryAvailableBytes, *s.MemoryTotalBytes)
	}
	m.set("proc/self/cgroup", "0::/\n")
	m.set("sys/fs/cgroup/memory.max", "1000000\n")
	m.set("sys/fs/cgroup/memory.current", "980000\n")
	m.set("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file 40000\n")
	if s := m.second(func() {}); *s.MemoryAvailableBytes != 60000 || *s.MemoryTotalBytes != 1000000 {
		t.Errorf("%d of %d", *s.MemoryAvailableBytes, *s.MemoryTotalBytes)
	}
	m.set("proc/self/cgroup", "4:memory:/\n")
	m.set("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
	m.set("sys/fs/cgroup/memory/memory.usage_in_bytes", "5\n")
	if s := m.second(func() {}); *s.MemoryTotalBytes != 8000<<10 {
		t.Errorf("no limit, and yet %d", *s.MemoryTotalBytes)
	}
}

func TestTheBusiestInterfaceOfKnownSpeed(t *testing.T) {
	device := func(lo, eth0, eth1 string) string {
		return "  lo: " + lo + " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\neth0: 1 0 0 0 0 0 0 0 " + eth0 + " 0 0 0 0 0 0 0\neth1:" + eth1 + " 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"
	}
	m := newMachine(t)
	m.set("proc/net/dev", device("0", "0", "0"))
	for name, speed := range map[string]string{"eth0": "1000\n", "eth1": "-1\n"} {
		m.set("sys/class/net/"+name+"/device/vendor", "")
		m.set("sys/class/net/"+name+"/speed", speed)
	}
	m.set("sys/class/net/lo/speed", "10\n") // not a device
	s := m.second(func() { m.set("proc/net/dev", device("99000000", "118750000", "125000000")) })
	near(t, "network", s.NetworkPercent, 95)
	if s.NetworkInterface != "eth0" {
		t.Errorf("interface %q", s.NetworkInterface)
	}
}

func TestAThreadThatWorksOnThisMachine(t *testing.T) {
	numbers := make(chan int)
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		numbers <- unix.Gettid()
		for !stop.Load() { // keeps the thread busy
		}
	}()
	number := <-numbers
	meter := NewMeter(Config{Threads: func() []int { return []int{number} }})
	time.Sleep(300 * time.Millisecond)
	s := meter.Sample()
	stop.Store(true)
	<-done
	if s.ReaderBusyPercent == nil || s.ReaderWaitPercent == nil || *s.ReaderBusyPercent+*s.ReaderWaitPercent < 50 {
		t.Errorf("busy %v, waiting %v of a thread that never rests", pointed(s.ReaderBusyPercent), pointed(s.ReaderWaitPercent))
	}
	if s.HostCPUPercent == nil || s.MemoryAvailableBytes == nil || s.ReceiveBufferErrors == nil {
		t.Errorf("%+v", s)
	}
}

func TestTheAgentsShareOfMemory(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"machine": {map[string]string{"proc/meminfo": "MemTotal: 1000000 kB\nMemAvailable: 500000 kB\n"}, 1000000 << 10 / 100 * 75},
		"control group": {map[string]string{"proc/meminfo": "MemTotal: 8000000 kB\nMemAvailable: 500000 kB\n", "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "536870912\n", "sys/fs/cgroup/memory.current": "1000\n"}, 536870912 / 100 * 85},
		"no figures": {map[string]string{}, 0},
	} {
		root := t.TempDir()
		for path, text := range c.files {
			path = filepath.Join(root, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := DefaultMemory(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if used := MemoryUsed(); used < 1<<20 || used > 4<<30 {
		t.Errorf("this test uses %d bytes", used)
	}
}
