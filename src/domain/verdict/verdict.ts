import type { NodeView } from '../node';
import { formatFigure } from '../numberFormat';
import type { RunView, TesterLimit, Verdict, VerdictName, VerdictReason } from '../run';
import { formatRunTime } from '../timeFormat';
import { judgeLevels } from './verdictLevels';
import { judgeConnected, judgeCpu, judgeDegraded, judgeGcPause } from './verdictRules';
import { searchVerdict } from './verdictSearch';
import { soakSentences } from './verdictSoak';
import { judgeThreshold } from './verdictThresholds';
import { seriesDefinition } from '../series';
import { audiencesOf } from '../shares';
import type { Finding, Judged, JudgedRun, Judgement } from './judged';
import { testerLimits } from '../tester/testerLimit';

export type { JudgedRun, Judgement } from './judged';

/** Judges a run by its plan's expectations. Pure: the same run gives the same verdict, live or read from its file. */
export function judgeRun(run: JudgedRun): Judgement {
  const judged = prepare(run);
  if (typeof judged === 'string') return { verdict: inconclusive(judged), testerLimits: run.refused ?? [] };
  const limits = testerLimits(judged);
  const isSearch = audiencesOf(run.view.plan).some(({ search }) => search !== undefined);
  const verdict = isSearch ? searchVerdict(run.view, run.stoppedMs, limits) : verdictOf(run, judged, limits);
  return { verdict, testerLimits: limits };
}

function verdictOf(run: JudgedRun, judged: Judged, limits: readonly TesterLimit[]): Verdict {
  const findings = findingsOf(judged, limits);
  const stopped = run.stoppedMs !== undefined && !endedByPlan(run.view);

  // A stopped run never had the time to fill the house.
  const counts = ({ expectation }: Finding): boolean => !(stopped && expectation === 'connected');
  const failed = findings.filter((finding) => finding.result === 'failed' && counts(finding));
  // What viewers saw says nothing of the origin when the tester itself gave out.
  const certain = failed.filter((finding) => finding.isDoubtful !== true);
  const missing = stopped ? [] : findings.filter((finding) => finding.result === 'missing');
  const telling = certain.length < failed.length ? firstOfEach(limits) : [];
  const speaking = [...telling, ...failed, ...missing];
  // In the order of time; what could not be measured explains less than what went wrong, and a tester's limit more where nothing is certain.
  const rank = (finding: Finding): number =>
    finding.result === 'missing' ? 2 : certain.length === 0 && telling.includes(finding) ? 0 : 1;
  const reasons = speaking
    .sort((a, b) => rank(a) - rank(b) || a.timeMs - b.timeMs)
    .map((finding, i): VerdictReason => ({
      number: i + 1,
      sentence: finding.sentence,
      expected: finding.expected,
      expectation: finding.expectation,
      ...(finding.series === undefined ? {} : { series: finding.series }),
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
  const isTold = (finding: Finding | undefined): boolean =>
    finding !== undefined && (verdict !== 'fail' || certain.includes(finding));
  // Being limited only makes figures worse: those that are good all the same are good.
  const forgiven = verdict === 'pass' ? firstOfEach(limits) : [];
  return {
    verdict,
    sentence: headline(
      judged,
      verdict,
      reasons.filter((_, i) => isTold(speaking[i])),
      run.stoppedMs,
    ),
    reasons,
    room: [
      ...findings.filter((finding) => finding.result === 'met').map((finding) => finding.sentence),
      ...forgiven.map(({ sentence }) => `${sentence} Every expectation was met all the same.`),
      ...soakSentences(judged),
    ],
  };
}

/** All that the plan expects, held against the run. */
function findingsOf(judged: Judged, limits: readonly TesterLimit[]): Finding[] {
  const { plan } = judged.view;
  const { connected, degraded, cpu, gcPause } = plan.expect;
  const isStaged = audiencesOf(plan).some(({ stages }) => stages !== undefined);
  const found = [
    connected && (isStaged ? judgeLevels : judgeConnected)(judged, connected, limits),
    degraded && judgeDegraded(judged, degraded, limits),
    ...judged.origins.map((origin) => cpu && judgeCpu(judged, cpu, origin)),
    ...judged.origins.map((origin) => gcPause && judgeGcPause(judged, gcPause, origin)),
    ...(plan.thresholds ?? []).flatMap((threshold) => judgeThreshold(judged, threshold, limits)),
  ];
  return found.filter((finding) => finding !== undefined);
}

/** A tester's first stretch of each kind speaks for those that follow. */
function firstOfEach(all: readonly TesterLimit[]): Finding[] {
  const isFirst = ({ node, kind }: TesterLimit, place: number): boolean => {
    // Slow arrivals are the CPU's doing, which speaks for itself.
    const kinds = kind === 'arrivals' ? ['cpu', kind] : [kind];
    return all.findIndex((other) => other.node === node && kinds.includes(other.kind)) === place;
  };
  return all.filter(isFirst).map(({ sentence, expected, fromMs, node }): Finding => ({
    result: 'failed',
    sentence,
    expected,
    timeMs: fromMs,
    node,
  }));
}

/** Whether the stop was the plan's own end: a hold without end lasts until somebody stops it. */
function endedByPlan(view: RunView): boolean {
  return view.plan.pull.holdMs === 0 && view.phases.some((phase) => phase.name === 'hold');
}

/** A sentence when there is nothing to judge. */
function prepare({ view, stoppedMs, values, refused }: JudgedRun): Judged | string {
  const audiences = audiencesOf(view.plan);
  const testers = audiences.flatMap(({ by }) => by);
  const hasName = (node: NodeView, names: readonly string[]): boolean =>
    names.includes(node.name) || names.includes(node.id);
  const ramps = view.phases.filter((phase) => phase.name === 'ramp');
  const holds = view.phases.filter((phase) => phase.name === 'hold');
  const [[ramp], [hold]] = [ramps, holds];
  const origins = [...new Set(audiences.map(({ from }) => from))].flatMap(
    (from) => view.nodes.find((node) => node.role === 'origin' && hasName(node, [from])) ?? [],
  );
  const [origin] = origins;
  if (!ramp || !origin) return 'The audience never set out, so there is nothing to judge.';
  const last = holds.at(-1) ?? ramps.at(-1) ?? ramp;
  const toMs = last.endMs ?? stoppedMs ?? view.endedMs ?? view.figures.timeMs;
  return {
    view,
    time: { runStartMs: view.startedMs, fromMs: ramp.startMs, holdFromMs: hold?.startMs, toMs },
    origin,
    origins,
    // A pull that was added later may have brought other testers.
    testers: view.nodes.filter(
      (node) =>
        node.role === 'tester' &&
        (hasName(node, testers) || values(node.id, 'viewersConnected').timeMs.length > 0),
    ),
    values,
    refused,
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
  const what = whatFailed(others, view.nodes);
  return `${got}; ${what}${reasons.length > 1 ? ' first,' : ''} at ${at(others.timeMs)}.`;
}

/** A reason in a few words. */
function whatFailed({ expectation, series, node }: VerdictReason, nodes: readonly NodeView[]): string {
  const name = nodes.find(({ id }) => id === node)?.name ?? node ?? 'the origin';
  if (series !== undefined) return `${seriesDefinition(series)?.title ?? series} of ${name} missed its limit`;
  if (expectation === 'degraded') return 'too many were degraded';
  return expectation === 'cpu' ? `CPU of ${name} went over its limit` : `${name} paused for too long`;
}

/** Within a sentence; names of nodes keep their letters, so only the rules' own first words are changed. */
function lowerFirst(sentence: string): string {
  return /^(The|Only|No|CPU) /.test(sentence) && !sentence.startsWith('CPU')
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
}
