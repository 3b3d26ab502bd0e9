import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../../scripts/setup/command.mjs';
import { cacheFolder, inRoot } from '../../scripts/setup/paths.mjs';

/** The environment variable with the path of the file that contains this agent's clock step in seconds. */
export const clockVariable = 'FULLHOUSE_TEST_CLOCK';

/**
 * Replaces Go's time.Now: libfaketime has no effect on a static program, which calls the kernel directly.
 */
const steppedNow = `
var testStep atomic.Int64

// TestStep is the clock step in seconds.
func TestStep() int64 { return testStep.Load() }

func Now() Time {
	t := realNow()
	if step := testStep.Load(); step != 0 && t.wall&hasMonotonic != 0 {
		t.wall += uint64(step) << nsecShift
	}
	return t
}

func init() {
	path, found := syscall.Getenv("${clockVariable}")
	if !found {
		return
	}
	go func() {
		for ; ; Sleep(20 * Millisecond) {
			file, err := open(path)
			if err != nil {
				continue
			}
			text := make([]byte, 32)
			n, _ := read(file, text)
			closefd(file)
			step, sign := int64(0), int64(1)
			for _, c := range text[:n] {
				switch {
				case c == '-':
					sign = -1
				case c >= '0' && c <= '9':
					step = step*10 + int64(c-'0')
				}
			}
			testStep.Store(sign * step)
		}
	}()
}
`;

function replaced(path: string, ...changes: ReadonlyArray<readonly [from: string, to: string]>): string {
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from))
      throw new Error(`${path} has no line "${from}", so the clock of a test agent cannot be set there.`);
    text = text.replace(from, to);
  }
  return text;
}

/**
 * Builds the agent of this clone with a system clock that can be set from outside, for this process only: time.Now
 * and the kernel's times of arrival follow, the monotonic clock does not. Everything else is the unmodified agent.
 */
export async function buildSteppedAgent(program: string): Promise<{ readonly version: string }> {
  const { stdout } = await mustRun('Asking for Go', 'go', ['env', 'GOROOT'], { timeoutMs: 60_000 });
  const time = join(stdout.trim(), 'src', 'time', 'time.go');
  const stamps = inRoot('agent', 'internal', 'monotonic', 'stamps.go');
  const folder = join(cacheFolder, 'steppedAgent');
  mkdirSync(folder, { recursive: true });
  const steppedTime =
    replaced(
      time,
      ['import (', 'import (\n\t"sync/atomic"\n\t"syscall"'],
      ['//go:linkname Now\n', ''],
      ['func Now() Time {', 'func realNow() Time {'],
    ) + steppedNow;
  const arrival = 'func (s *Stamps) Monotonic(stamp int64) int64 {\n';
  const steppedStamps = replaced(stamps, [arrival, `${arrival}\tstamp += time.TestStep() * 1e9\n`]);
  writeFileSync(join(folder, 'time.go'), steppedTime);
  writeFileSync(join(folder, 'stamps.go'), steppedStamps);
  const overlay = join(folder, 'overlay.json');
  const Replace = { [time]: join(folder, 'time.go'), [stamps]: join(folder, 'stamps.go') };
  writeFileSync(overlay, JSON.stringify({ Replace }));
  await mustRun(
    'Building an agent whose clock can be set',
    'go',
    ['build', '-overlay', overlay, '-trimpath', '-o', program, './cmd/fullhouse-agent'],
    { cwd: inRoot('agent'), env: { CGO_ENABLED: '0' }, timeoutMs: 900_000 },
  );
  return { version: 'stepped' };
}
