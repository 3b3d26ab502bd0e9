import { describe, expect, it } from 'vitest';
import type { ReasonCause, Verdict, VerdictName } from '../model/run';
import {
  audienceName,
  connectedAt,
  holdEnd,
  hostsOf,
  plantRun,
  recordedRun,
  type Blame,
  type Plant,
  type PlantedViewer,
} from '../../../tests/support/plantedVerdicts';
import { judgeRun } from './verdict';

/**
 * The truth of a planted run, from the plant alone. A run fails for what the server did to its viewers, or to those of
 * testers that nothing affected; it is inconclusive for what busy machines and limited testers did to the rest.
 */
interface Truth {
  readonly verdict: VerdictName;
  /** Cause of the first reason. */
  readonly causedBy?: ReasonCause;
  /** Expectations that may be the first reason of a fail. */
  readonly failed: readonly string[];
  /** Connected and requested viewers, in the order of the audiences. */
  readonly counts: readonly string[];
}

const runs = 300;

function truthOf(plant: Plant): Truth {
  const counted = plant.audiences.map((_, audience) => countedOf(plant, audience));
  const counts = counted.map(({ connected, requested }) => `${connected} of ${requested}`);
  const isCpuTaken = plant.audiences.some(({ from }) => plant.busy.has(plant.originHosts[from] ?? ''));
  const isOverloaded = plant.audiences.some(({ from }) => plant.overloaded?.origin === from);
  const failed = [
    ...(counted.some(({ isServers }) => isServers) ? ['connected'] : []),
    ...(plant.degraded?.blame === 'server' ? ['degraded'] : []),
    ...(isOverloaded ? ['cpu'] : []),
  ];
  if (plant.event === 'stopped') return { verdict: 'stopped', failed, counts };
  if (plant.event === 'origin-lost') return { verdict: 'fail', causedBy: 'origin-lost', failed, counts };
  if (plant.event === 'tester-lost') return { verdict: 'inconclusive', causedBy: 'tester-lost', failed, counts };
  if (failed.length > 0) return { verdict: 'fail', causedBy: 'origin', failed, counts };
  const isByMachine =
    isCpuTaken || plant.degraded?.blame === 'machine' || counted.some((each) => each.isMissed && each.isMachines);
  if (isByMachine) return { verdict: 'inconclusive', causedBy: 'machine', failed, counts };
  if (counted.some(({ isMissed }) => isMissed)) return { verdict: 'inconclusive', causedBy: 'tester', failed, counts };
  return { verdict: 'pass', failed, counts };
}

function countedOf(plant: Plant, audience: number) {
  const ownViewers = plant.viewers.filter((viewer) => viewer.audience === audience);
  const requested = ownViewers.length;
  const lost = (by: readonly Blame[], of = ownViewers): number =>
    of.filter(({ loss }) => loss !== undefined && by.includes(loss.blame)).length;
  const misses = (missing: number, of = requested): boolean =>
    of > 0 && 100 - (100 * missing) / of < plant.connectedPercent;
  const affected = new Set(ownViewers.filter((viewer) => isAffected(plant, viewer)).map(({ tester }) => tester));
  const sound = plant.audiences.length === 1 ? ownViewers.filter(({ tester }) => !affected.has(tester)) : [];
  const isMissed = misses(lost(['server', 'machine', 'tester']));
  const isServers = isMissed && (misses(lost(['server'])) || misses(lost(['server'], sound), sound.length));
  return {
    requested,
    connected: connectedAt(plant, (viewer) => viewer.audience === audience, holdEnd(audience)),
    isServers,
    isMissed: isMissed && !isServers,
    // A machine is a reason unless the testers' limits alone explain what is missing.
    isMachines: !misses(lost(['server', 'tester'])) || misses(lost(['server', 'machine'])),
  };
}

/** Whether the tester of a viewer was limited, or it or its origin on a busy host. */
function isAffected(plant: Plant, viewer: PlantedViewer): boolean {
  const isLimited = plant.viewers.some(({ tester, loss }) => tester === viewer.tester && loss?.blame === 'tester');
  return isLimited || plant.waiting.has(viewer.tester) || hostsOf(plant, viewer).some((host) => plant.busy.has(host));
}

function seen(verdict: Verdict): Omit<Truth, 'counts' | 'failed'> {
  const [first] = verdict.reasons;
  return { verdict: verdict.verdict, ...(first && verdict.verdict !== 'stopped' ? { causedBy: first.causedBy } : {}) };
}

describe(`${runs} runs with planted truth`, () => {
  const plants = Array.from({ length: runs }, (_, seed) => plantRun(seed));
  const verdicts = plants.map((plant) => judgeRun(recordedRun(plant)).verdict);
  const judged = plants.map((plant, i) => ({ plant, verdict: verdicts[i] as Verdict }));

  it('have the planted verdict and first reason', () => {
    const wrong = judged.flatMap(({ plant, verdict }) => {
      const { failed, counts: _, ...truth } = truthOf(plant);
      const [first] = verdict.reasons;
      const isFirst = truth.causedBy !== 'origin' || failed.includes(first?.expectation ?? '');
      return isFirst && JSON.stringify(seen(verdict)) === JSON.stringify(truth)
        ? []
        : [
            {
              seed: plant.seed,
              truth,
              failed,
              seen: seen(verdict),
              reasons: verdict.reasons.map(({ sentence }) => sentence),
            },
          ];
    });
    expect(wrong).toEqual([]);
  });

  it('count the planted viewers', () => {
    for (const { plant, verdict } of judged) {
      const { counts } = truthOf(plant);
      const sentences = [...verdict.reasons.map(({ sentence }) => sentence), ...verdict.headroom];
      counts.forEach((count, i) => {
        const whose = counts.length > 1 ? ` of ${audienceName(i)}` : '';
        if (plant.event !== 'stopped')
          expect(sentences.join('\n'), `seed ${plant.seed}`).toContain(`${count} viewers${whose} were connected`);
      });
    }
  });

  it('have one reason for each cause', () => {
    for (const { plant, verdict } of judged) {
      const causes = verdict.reasons.filter(({ expectation }) => expectation === undefined);
      expect(causes.filter(({ causedBy }) => causedBy === 'machine').length, `seed ${plant.seed}`).toBeLessThan(2);
      const testers = causes.filter(({ causedBy }) => causedBy === 'tester').map(({ sentence }) => sentence);
      // Out of open files, and waiting for a processor.
      expect(testers.length, `seed ${plant.seed}: ${testers.join('\n')}`).toBeLessThan(3);
    }
  });

  it('are of all kinds', () => {
    const kinds = plants.map((plant) => truthOf(plant)).map(({ verdict, causedBy }) => `${verdict} ${causedBy ?? ''}`);
    const count = (kind: string): number => kinds.filter((each) => each.trim() === kind).length;
    for (const kind of ['pass', 'fail origin', 'inconclusive machine', 'inconclusive tester'])
      expect(count(kind), kind).toBeGreaterThan(15);
    for (const kind of ['stopped', 'fail origin-lost', 'inconclusive tester-lost'])
      expect(count(kind), kind).toBeGreaterThan(1);
    expect(plants.some(({ testerHosts }) => testerHosts.length === 4)).toBe(true);
  });
});
