import type { ReasonCause, RunView } from '../model/run';
import { causeOf } from '../evidence/cause';
import { clientsOf, firstOrigin, loadTesters, publishesOnly } from '../model/publisherGroup';
import { formatRunTime } from '../text/timeFormat';
import { isWithoutLoad } from '../model/withoutLoad';

export type RunEndingKind =
  'plan' | 'user' | 'stop-condition' | 'origin-lost' | 'tester-lost' | 'no-viewers' | 'not-started' | 'interrupted';

/** How a run ended. */
export interface RunEnding {
  readonly kind: RunEndingKind;
  /** For a label, e.g. `ended by plan`. */
  readonly text: string;
  readonly sentence: string;
}

const texts: Readonly<Record<RunEndingKind, string>> = {
  plan: 'ended by plan',
  user: 'stopped',
  'stop-condition': 'stop condition',
  'origin-lost': 'origin lost',
  'tester-lost': 'tester lost',
  'no-viewers': 'no viewers left',
  'not-started': 'not started',
  interrupted: 'interrupted',
};

type Ended = Pick<
  RunView,
  'state' | 'startedMs' | 'verdict' | 'nodes' | 'phases' | 'figures' | 'plan' | 'earlyEnd' | 'imported' | 'watched'
>;

/**
 * How a run ended, the same in the window, in reports and on the command line; undefined while active, and for a run
 * without load.
 */
export function endingOf(run: Ended): RunEnding | undefined {
  if (run.state !== 'ended' || isWithoutLoad(run)) return undefined;
  const [kind, sentence] = found(run);
  const { figures } = run;
  if (kind !== 'no-viewers' || figures.connectedPeak > 0) return { kind, sentence, text: texts[kind] };
  const client = clientOf(run);
  return {
    kind,
    sentence,
    text: figures.failed < figures.requested ? `no ${client} connected` : `all ${client}s failed`,
  };
}

function found(run: Ended): [RunEndingKind, string] {
  const { verdict, phases, figures, earlyEnd } = run;
  if (verdict?.verdict === 'interrupted') return ['interrupted', verdict.sentence];
  const wasPulled = phases.some(({ name }) => name === 'ramp');
  // Testers may have refused all viewers once their ramp had begun.
  if (earlyEnd?.kind === 'not-started' || (!wasPulled && earlyEnd?.kind !== 'user'))
    return ['not-started', earlyEnd?.sentence ?? verdict?.sentence ?? 'The run could not be started.'];
  const testers = run.plan.pull?.by ?? loadTesters(run.plan);
  const lost = lostOf(run, 'origin-lost', firstOrigin(run.plan)) ?? lostOf(run, 'tester-lost', ...testers);
  if (earlyEnd?.kind === 'user' || (!earlyEnd && verdict?.verdict === 'stopped'))
    return ['user', earlyEnd ? `Stopped at ${at(run, earlyEnd.timeMs)}.` : 'Stopped.'];
  if (earlyEnd?.kind === 'stop-condition')
    return ['stop-condition', earlyEnd.sentence ?? 'A stop condition of the plan was reached.'];
  if (lost) return lost;
  if (figures.connectedPeak === 0 && figures.failed > 0) return ['no-viewers', `No ${clientOf(run)} connected.`];
  if (earlyEnd?.kind === 'no-viewers')
    return [
      'no-viewers',
      `All ${clientsOf(run.plan)} were disconnected before the planned end, at ${at(run, earlyEnd.timeMs)}.`,
    ];
  return ['plan', 'Ended by plan.'];
}

/** If all of these nodes stopped before the end: the first of them. */
function lostOf(
  run: Ended,
  cause: 'origin-lost' | 'tester-lost',
  ...names: string[]
): [RunEndingKind, string] | undefined {
  const lost = (run.verdict?.reasons ?? []).filter((reason) => (causeOf(reason, run) satisfies ReasonCause) === cause);
  const isLost = (name: string): boolean =>
    lost.some(({ node }) => node === name || run.nodes.some(({ id, name: each }) => id === node && each === name));
  const [first] = lost;
  return first && names.every(isLost) ? [cause, first.sentence] : undefined;
}

const clientOf = ({ plan }: Ended): string => (publishesOnly(plan) ? 'publisher' : 'viewer');

const at = ({ startedMs }: Ended, timeMs: number): string => formatRunTime(timeMs - startedMs);
