import { cpus } from 'node:os';
import type { EngineOptions } from '../../src/engine';
import { readThisHost } from '../../src/engine/telemetry/hostReader';

/**
 * Reads this machine as if other programs used a fixed share of its CPU, whatever runs there: the processes of the test
 * and of its console are real. Without others, the result of a run does not depend on how busy the machine is.
 */
export function hostWithOthers(otherPercent: number): NonNullable<EngineOptions['readHost']> {
  const cores = cpus().length;
  /** By pid and start, since it was first seen; that of an ended process remains, so the sum never falls. */
  const spentSeconds = new Map<string, { readonly first: number; readonly last: number }>();
  return (ours, ofConsole) => {
    const reading = readThisHost(ours, ofConsole);
    for (const { pid, startedAt, cpuSeconds } of [...(reading.ours ?? []), ...(reading.console ?? [])]) {
      const key = `${pid} ${startedAt}`;
      const { first = cpuSeconds, last = cpuSeconds } = spentSeconds.get(key) ?? {};
      spentSeconds.set(key, { first, last: Math.max(last, cpuSeconds) });
    }
    const ofTest = [...spentSeconds.values()].reduce((sum, { first, last }) => sum + last - first, 0);
    const total = (reading.monotonicMs / 1000) * cores;
    const busy = ofTest + (total * otherPercent) / 100;
    const ofCore = { busy: busy / cores, tasks: busy / cores, stolen: 0, total: total / cores };
    return {
      ...reading,
      cpu: {
        all: { busy, tasks: busy, stolen: 0, total },
        cores: new Map(cpus().map((_, number) => [number, ofCore])),
      },
      cpuPressureMs: 0,
    };
  };
}
