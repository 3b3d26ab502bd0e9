import type { NodeView } from './node';
import { formatFigure } from './numberFormat';
import type { RunView, Verdict, VerdictName, VerdictReason } from './run';
import { formatRunTime } from './timeFormat';
import { judgeConnected, judgeCpu, judgeDegraded, judgeGcPause } from './verdictRules';
import type { Finding, Judged, JudgedRun } from './judged';
import { testerLimits } from './testerLimit';

export type { JudgedRun } from './judged';

/** Judges a run by its plan's expectations. Pure: the same run gives the same verdict, live or read from its file. */
export function judgeRun(run: JudgedRun): Verdict {
  const judged = prepare(run);
  if (typeof judged === 'string') return inconclusive(judged);
  const { expect } = judged.view.plan;
  const findings = [
    expect.connected && judgeConnected(judged, expect.connected),
    expect.degraded && judgeDegraded(judged, expect.degraded),
    expect.cpu && judgeCpu(judged, expect.cpu),
    expect.gcPause && judgeGcPause(judged, expect.gcPause),
  ].filter((finding) => finding !== undefined);
  const limits = testerLimits(judged);
  const stopped = run.stoppedMs !== undefined && !endedByPlan(run.view);

  // What viewers saw says nothing of the origin when the tester itself gave out.
  const isDoubtful = ({ madeByViewers }: Finding): boolean => madeByViewers && limits.length > 0;
  // A stopped run never had the time to fill the house.
  const counts = ({ expectation }: Finding): boolean => !(stopped && expectation === 'connected');
  const failed = findings.filter((finding) => finding.result === 'failed' && counts(finding));
  const certain = failed.filter((finding) => !isDoubtful(finding));
  const missing = stopped ? [] : findings.filter((finding) => finding.result === 'missing');
  const speaking =
    certain.length < failed.length ? [...limits, ...failed, ...missing] : [...failed, ...missing];
  // In the order of time; what could not be measured explains less than what went wrong.
  const isMissing = ({ result }: Finding): number => (result === 'missing' ? 1 : 0);
  const reasons = speaking
    .sort((a, b) => isMissing(a) - isMissing(b) || a.timeMs - b.timeMs)
    .map((finding, i): VerdictReason => ({
      number: i + 1,
      sentence: finding.sentence,
      expected: finding.expected,
      expectation: finding.expectation,
      timeMs: Math.round(finding.timeMs),
      node: finding.node,
    }));
  const verdict: VerdictName = stopped
    ? 'stopped'
    : certain.length > 0
      ? 'fail'
      : failed.length + missing.length > 0
        ? 'inconclusive'
        : 'pass';
  // A fail is told by what failed, not by what could not be measured beside it.
  const telling = verdict === 'fail' ? reasons.filter((_, i) => speaking[i]?.result === 'failed') : reasons;
  return {
    verdict,
    sentence: headline(judged, verdict, telling, run.stoppedMs),
    reasons,
    room: findings.filter((finding) => finding.result === 'met').map((finding) => finding.sentence),
  };
}

/** Whether the stop was the plan's own end: a hold without end lasts until somebody stops it. */
function endedByPlan(view: RunView): boolean {
  return view.plan.pull.holdMs === 0 && view.phases.some((phase) => phase.name === 'hold');
}

/** A sentence when there is nothing to judge. */
function prepare({ view, stoppedMs, values }: JudgedRun): Judged | string {
  const { from, by } = view.plan.pull;
  const hasName = (node: NodeView, names: readonly string[]): boolean =>
    names.includes(node.name) || names.includes(node.id);
  const ramp = view.phases.find((phase) => phase.name === 'ramp');
  const hold = view.phases.find((phase) => phase.name === 'hold');
  const origin = view.nodes.find((node) => node.role === 'origin' && hasName(node, [from]));
  if (!ramp || !origin) return 'The audience never set out, so there is nothing to judge.';
  const toMs = (hold ?? ramp).endMs ?? stoppedMs ?? view.endedMs ?? view.figures.timeMs;
  return {
    view,
    time: { runStartMs: view.startedMs, fromMs: ramp.startMs, holdFromMs: hold?.startMs, toMs },
    origin,
    // A pull that was added later may have brought other testers.
    testers: view.nodes.filter(
      (node) =>
        node.role === 'tester' &&
        (hasName(node, by) || values(node.id, 'viewersConnected').timeMs.length > 0),
    ),
    values,
  };
}

function inconclusive(sentence: string): Verdict {
  return { verdict: 'inconclusive', sentence, reasons: [], room: [] };
}

const count = (value: number): string => formatFigure(value, 'integer');

function headline(
  { view, time }: Judged,
  verdict: VerdictName,
  reasons: readonly VerdictReason[],
  stoppedMs: number | undefined,
): string {
  const { requested, connectedPeak, timeToAllMs } = view.figures;
  const got = `${count(connectedPeak)} of ${count(requested)} viewers connected`;
  const at = (timeMs: number): string => formatRunTime(timeMs - time.runStartMs);
  if (verdict === 'stopped') return `Stopped at ${at(stoppedMs ?? time.toMs)}; ${got} until then.`;
  const [first] = reasons;
  if (verdict === 'pass' || !first) {
    if (connectedPeak < requested) return `${got}, and every expectation was met.`;
    const within = timeToAllMs === undefined ? '' : ` within ${formatFigure(timeToAllMs / 1000, 'tenths')} s`;
    return `All ${count(requested)} viewers connected${within}, and every expectation was met.`;
  }
  if (verdict === 'inconclusive') return `${got}, but it can't be judged: ${lowerFirst(first.sentence)}`;
  const others = reasons.find((reason) => reason.expectation !== 'connected');
  if (!others) return `${got}; more were expected.`;
  const what = {
    connected: '',
    degraded: 'too many were degraded',
    cpu: `CPU of ${others.node ?? 'the origin'} went over its limit`,
    gcPause: `${others.node ?? 'the origin'} paused for too long`,
  }[others.expectation ?? 'connected'];
  return `${got}; ${what}${reasons.length > 1 ? ' first,' : ''} at ${at(others.timeMs)}.`;
}

/** Within a sentence; names of nodes keep their letters, so only the rules' own first words are changed. */
function lowerFirst(sentence: string): string {
  return /^(The|Only|No|CPU) /.test(sentence) && !sentence.startsWith('CPU')
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
}
