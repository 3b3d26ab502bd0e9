import { everyInterval, everySecond } from './base/clock';
import { thisMachine } from './fleet/node';
import type { EngineParts } from './parts';
import { localDiskFree } from './telemetry/localDisk';
import { sampleHost } from './telemetry/thisHost';

/** A tick this late shows that the process did not run. */
const minPauseMs = 2500;

/** Ticks once a second. Returns the end of it. */
export function startTicking({ clock, runManager, fleet, incidents, watching, log }: EngineParts): () => void {
  let tickedMs = clock.now();
  return everySecond(clock, (nowMs) => {
    const pausedMs = nowMs - tickedMs - 1000;
    const stepMs = clock.step();
    if (stepMs !== 0) runManager.clockStepped(stepMs);
    if (!runManager.activeRun) clock.follow();
    tickedMs = clock.now();
    try {
      incidents.tick(stepMs);
    } catch (error) {
      log(`A tick of the incidents failed: ${(error as Error).message}`);
    }
    if (pausedMs >= minPauseMs) {
      runManager.paused(pausedMs);
      // Messages that arrived meanwhile are read first: until then all nodes seem not to respond.
      return;
    }
    // An error in one tick must not end the engine: everything else continues.
    try {
      fleet.tick(nowMs);
      runManager.tick(nowMs);
      watching?.tick(nowMs);
    } catch (error) {
      log(`A tick of the run failed: ${(error as Error).message}`);
    }
  });
}

/** Free space changes slowly. */
const diskEveryMs = 10_000;

/** Reads the free space of this machine's disk. A disk that does not respond is not asked again. Returns the end of it. */
export function startDiskSampling({ clock, runManager }: Pick<EngineParts, 'clock' | 'runManager'>): () => void {
  let isReading = false;
  return everyInterval(clock, diskEveryMs, (timeMs) => {
    if (isReading) return;
    isReading = true;
    void localDiskFree().then((diskFreeBytes) => {
      isReading = false;
      if (diskFreeBytes !== undefined) runManager.host(timeMs, { diskFreeBytes });
    });
  });
}

/** Reads this host once a second. Returns the end of it. */
export function startSampling(parts: EngineParts): () => void {
  const { clock, readHost, localTrees, hostLoads, runManager, fleet, log } = parts;
  return sampleHost({
    clock,
    read: () => {
      const { ours, console } = localTrees.get();
      return readHost(ours, console);
    },
    onSample: ({ timeMs, values, waits }) => {
      hostLoads.take(thisMachine, timeMs, values);
      runManager.host(timeMs, values);
      for (const node of fleet.nodes) {
        const waited = node.pid === undefined ? undefined : waits.get(node.pid);
        if (waited !== undefined) node.changes.emit({ kind: 'host', timeMs, values: { processWaitPercent: waited } });
      }
    },
    onProblem: log,
  });
}
