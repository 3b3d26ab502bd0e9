import type { FailedAudience, Finding, Judged } from '../evidence/evidence';
import { isTesterOf } from '../model/audience';
import type { Audience } from '../model/plan';
import { allAudiences, severalAudiences } from '../plan/audiences';
import { firstOfEach } from '../tester/testerEffects';
import { formatCount } from '../text/numberFormat';
import type { Counted } from './lostViewers';

/** Audiences that could not be started: a fail, unless one of their testers refused its viewers. */
export function judgeFailedAudiences(
  { view, refused = [] }: Judged,
  failedAudiences: readonly FailedAudience[] = [],
): readonly Finding[] {
  const audiences = allAudiences(view.plan);
  return failedAudiences.map(({ audience, timeMs, sentence }) => {
    const { by = [] } = audiences.find(({ name }) => name === audience)?.pull ?? {};
    return {
      result: 'failed',
      expectation: 'connected',
      sentence: `Audience ${audience} could not be started: ${sentence}`,
      expected: 'expected to start',
      timeMs,
      invalidatedBy: firstOfEach(refused.filter(({ node }) => by.includes(node))),
    };
  });
}

/** With more audiences than this, those whose viewers were all connected share a sentence. */
const maxEach = 3;

/** The sentences of what was met. */
export function headroomSentences(findings: readonly Finding[]): string[] {
  const met = findings.filter(({ result }) => result === 'met');
  const full = met.filter(
    ({ expectation, audience, measured }) => expectation === 'connected' && audience !== undefined && measured === 100,
  );
  if (full.length <= maxEach) return met.map(({ sentence }) => sentence);
  return [
    `All viewers of ${formatCount(full.length)} audiences were connected at the end of their holds.`,
    ...met.filter((finding) => !full.includes(finding)).map(({ sentence }) => sentence),
  ];
}

/** An audience whose connected viewers are judged. */
export interface JudgedAudience extends Omit<Counted, 'connected'> {
  readonly pull: Audience;
}

/** The audiences of a run, each with its own end; of several those that have ended. */
export function judgedAudiences(judged: Judged): readonly JudgedAudience[] {
  const { view, time, testers, origins, audienceEnds = {} } = judged;
  const several = severalAudiences(view.plan).flatMap(({ id, name, pull }): JudgedAudience[] => {
    const toMs = audienceEnds[id];
    if (toMs === undefined) return [];
    return [
      {
        audience: name,
        pull,
        sources: [{ id, name }],
        testers: testers.filter((node) => isTesterOf(pull, node)),
        origins: origins.filter((node) => pull.from === node.name || pull.from === node.id),
        reconnects: pull.reconnect,
        requested: pull.viewers,
        toMs,
        failures: view.failures.filter(({ audience }) => audience === name),
      },
    ];
  });
  if (several.length > 0) return several;
  const { pull } = view.plan;
  if (!pull) return [];
  return [
    {
      pull,
      sources: testers,
      testers,
      ...(pull.reconnect === undefined ? {} : { reconnects: pull.reconnect }),
      requested: view.figures.requested,
      toMs: time.toMs,
      failures: view.failures,
    },
  ];
}
