import { severalAudiences } from '../plan/audiences';
import { overNetworks } from '../plan/networkText';
import { asSentence } from '../text/sentence';
import { unknownHost } from '../model/host';
import type { NodeView } from '../model/node';
import { formatFigure, formatCount } from '../text/numberFormat';
import type { RunView, TesterLimit, Verdict, VerdictFinding, VerdictNote, VerdictReason } from '../model/run';
import type { Outages } from '../model/outages';
import { outagesText, reconnectionsText } from '../run/outagesText';
import { formatRunTime } from '../text/timeFormat';
import { audienceFigures, audienceSentence } from '../run/audienceFigures';
import { seriesDefinition, type SeriesId } from '../series/series';
import { judgedValues } from '../evidence/evidenceValues';
import { audiencesOf } from '../model/distribution';
import { clientsOf, loadTesters, originNames, publisherGroups, publishesOnly } from '../model/publisherGroup';
import { firstOfEach } from '../tester/testerEffects';
import { testerLimits } from '../tester/testerLimit';
import { unmeasuredLimits } from '../tester/unmeasuredLimits';
import { beforeConnected } from '../evidence/cause';
import type { Finding, Judged, JudgedRun, Judgement, RunEvents } from '../evidence/evidence';
import { decide, type Claim, type Decision } from './precedence';
import { judgeStopCondition, judgeThreshold } from './verdictThresholds';
import { headroomSentences, judgeFailedAudiences } from './verdictAudiences';
import { connectedText, judgeConnected } from './verdictConnected';
import { judgeDegraded } from './verdictDegraded';
import { judgeDelay } from './verdictDelay';
import { judgeOriginDegraded } from './verdictOrigin';
import { judgeOutages } from './verdictOutages';
import { decidingOutages } from './originOutages';
import { judgePublishers } from './publishers';
import { decidingOriginOutages, judgePublished, refusedText } from './verdictPublished';
import { outagesOfAudiences, outagesOfRun, withLostServers, type AudienceOutages } from './audienceOutages';
import { judgeCpu, judgeGcPause } from './verdictRules';
import { searchVerdict } from './verdictSearch';
import { soakSentences } from './verdictSoak';

export type { JudgedRun, Judgement } from '../evidence/evidence';

/** Judges a run by its plan's expectations. Pure: the same run gives the same verdict, live or from its file. */
export function judgeRun(run: JudgedRun): Judgement {
  const { refused = [], runEvents = {} } = run;
  if (runEvents.failure !== undefined)
    return { verdict: notStarted(runEvents.failure, refused), testerLimits: refused };
  const prepared = prepare(run);
  if (typeof prepared === 'string') {
    const verdict = run.stoppedMs === undefined ? unjudged(prepared, runEvents) : stoppedEarly(run.view, run.stoppedMs);
    return { verdict, testerLimits: refused };
  }
  const judged = withLostServers(prepared);
  // A tester's problem after its origin died is not its own limit.
  const lostMs = Math.min(...(runEvents.lostOrigins ?? []).map(({ timeMs }) => timeMs));
  const limits = testerLimits(judged).filter(({ fromMs }) => !(fromMs >= lostMs));
  const { plan } = run.view;
  const isSearch = [...audiencesOf(plan), ...publisherGroups(plan)].some(({ search }) => search !== undefined);
  const outages = outagesOfAudiences(judged, limits);
  const published = publishesOnly(plan) && !isSearch ? judgePublished(judged, limits) : undefined;
  const findings = isSearch
    ? []
    : findingsOf(judged, limits, published?.findings ?? ofAudiences(judged, limits, outages));
  const evidence = {
    ...runEvents,
    findings: [
      ...findings,
      ...(isSearch || published ? [] : judgePublishers(judged)),
      ...judgeFailedAudiences(judged, runEvents.failedAudiences),
      ...judgeStopCondition(judged, runEvents.stopCondition, limits),
    ],
  };
  const decision = decide({
    ...evidence,
    originOutages: published
      ? decidingOriginOutages(judged, published)
      : decidingOutages(judged, evidence.findings, outages),
    isStopped: run.stoppedMs !== undefined && !endedByPlan(run.view),
    hosts: new Map(run.view.nodes.flatMap(({ id, host }) => (host === unknownHost ? [] : [[id, host]]))),
  });
  const isSearchReported = isSearch && decision.deciding.length === 0;
  const verdict = isSearchReported
    ? withNotes(searchVerdict(run.view, run.stoppedMs, limits), missedBeside(judged, limits))
    : verdictOf(judged, decision, evidence.findings, limits, {
        ...run,
        outages: published?.outages ?? outagesOfRun(outages),
      });
  return { verdict: { ...verdict, ...recorded(findings) }, testerLimits: limits };
}

/**
 * Audiences beside a search whose viewers were missing: notes, since the search exceeds what the origin can serve on
 * purpose.
 */
function missedBeside(judged: Judged, limits: readonly TesterLimit[]): readonly VerdictNote[] {
  const { connected } = judged.view.plan.expect;
  const findings = connected && judged.view.plan.pull ? judgeConnected(judged, connected, limits) : [];
  const missed = findings.filter(({ result }) => result !== 'met');
  return missed.map(({ sentence, expectation = 'connected' }) => ({ sentence, expectation }));
}

const withNotes = (verdict: Verdict, more: readonly VerdictNote[]): Verdict =>
  more.length > 0 ? { ...verdict, notes: [...(verdict.notes ?? []), ...more] } : verdict;

/** The findings of the plan's expectations, as saved with the verdict. */
function recorded(findings: readonly Finding[]): Pick<Verdict, 'findings'> {
  const all = findings.map(({ invalidatedBy: _, timeMs, ...finding }): VerdictFinding => ({
    ...finding,
    timeMs: Math.round(timeMs),
  }));
  return all.length > 0 ? { findings: all } : {};
}

function verdictOf(
  judged: Judged,
  decision: Decision,
  findings: readonly Finding[],
  limits: readonly TesterLimit[],
  { stoppedMs, runEvents = {}, outages }: Pick<JudgedRun, 'stoppedMs' | 'runEvents'> & { readonly outages: Outages },
): Verdict {
  const { verdict, deciding, others } = decision;
  // A tester limit only makes figures worse: those that are met anyway are met.
  const excused = verdict === 'pass' ? firstOfEach(limits) : [];
  const isNote = ({ result }: Finding): boolean => result === 'skipped' || result === 'inapplicable';
  const notes = [
    ...(decision.notes ?? []).map(({ sentence, expectation, node }) => ({ sentence, expectation, node })),
    ...(findings.some(isMissedByViewers) ? unmeasuredNotes(judged) : []),
    ...(runEvents.shortGroups ?? []).map(({ node, sentence }) => ({ sentence, node })),
    ...(runEvents.originOutages ?? [])
      .filter(({ sentence }) => ![...deciding, ...others].some((finding) => finding.sentence === sentence))
      .map(({ sentence, node }) => ({ sentence, node })),
    ...findings
      .filter((finding) => isNote(finding) && !deciding.some(({ sentence }) => sentence === finding.sentence))
      .map(({ sentence, expectation, node }) => ({ sentence, expectation, node })),
  ];
  return {
    verdict,
    sentence: headline(judged, decision, {
      stoppedMs,
      runEvents,
      outages,
      findings,
      isPartial: findings.some(({ result }) => result === 'skipped'),
    }),
    reasons: numbered([...deciding, ...others]),
    headroom: [
      ...headroomSentences(findings),
      ...excused.map(({ sentence }) => `${sentence} All expectations were met anyway.`),
      ...soakSentences(judged),
    ],
    ...audiencesOfRun(judged),
    ...(notes.length > 0 ? { notes } : {}),
    outages,
  };
}

/** A figure of viewers that was missed depends on what their testers lacked. */
function isMissedByViewers({ result, expectation, series }: Finding): boolean {
  const isOfViewers =
    expectation === 'connected' ||
    expectation === 'degraded' ||
    (series && seriesDefinition(series)?.source) === 'audience';
  return result === 'failed' && isOfViewers;
}

function unmeasuredNotes({ testers, view, values }: Judged): ReadonlyArray<{ sentence: string; node: string }> {
  return testers.flatMap((tester) => {
    const sentence = unmeasuredLimits(tester, { nodes: view.nodes, values });
    return sentence === undefined ? [] : [{ sentence, node: tester.id }];
  });
}

function audiencesOfRun(judged: Judged): Pick<Verdict, 'audiences'> {
  const highest = (node: string, series: SeriesId): number | undefined => {
    const { value } = judgedValues(judged, node, series);
    return value.length > 0 ? value.reduce((max, reading) => Math.max(max, reading)) : undefined;
  };
  const sentences = audienceFigures(judged.view, highest).map(audienceSentence);
  return sentences.length > 0 ? { audiences: sentences } : {};
}

function numbered(claims: readonly Claim[]): VerdictReason[] {
  return claims.map(({ sentence, expected, expectation, series, timeMs, node, causedBy }, i) => ({
    number: i + 1,
    sentence,
    expected,
    expectation,
    ...(series === undefined ? {} : { series }),
    timeMs: Math.round(timeMs),
    node,
    causedBy,
  }));
}

/** Judges what the plan expects of its viewers. */
function ofAudiences(judged: Judged, limits: readonly TesterLimit[], outages: readonly AudienceOutages[]): Finding[] {
  const { plan } = judged.view;
  const { connected, degraded } = plan.expect;
  const last = outages.flatMap((outage) => outage.outages.filter(({ isUntilEnd }) => isUntilEnd));
  const ofConnected = connected ? judgeConnected(judged, connected, limits, last) : [];
  const findings = [
    ...ofConnected,
    ...judgeOutages(judged, outages, plan.expect.outages, ofConnected),
    degraded && judgeDegraded(judged, degraded, limits),
    ...judged.origins.map((origin) => degraded && judgeOriginDegraded(judged, degraded, origin, limits)),
  ];
  return findings.filter((finding) => finding !== undefined);
}

/** Judges all expectations of the plan; `ofClients` are those of its viewers, or of its publishers alone. */
function findingsOf(judged: Judged, limits: readonly TesterLimit[], ofClients: readonly Finding[]): Finding[] {
  const { plan } = judged.view;
  const { cpu, gcPause } = plan.expect;
  const findings = [
    ...ofClients,
    ...judged.origins.map((origin) => cpu && judgeCpu(judged, cpu, origin, limits)),
    ...judged.origins.map((origin) => gcPause && judgeGcPause(judged, gcPause, origin)),
    ...(plan.thresholds ?? []).flatMap((threshold) => judgeThreshold(judged, threshold, limits)),
    ...(plan.delay ?? []).flatMap((expectation) => judgeDelay(judged, expectation, limits)),
  ];
  return findings.filter((finding) => finding !== undefined);
}

/** Whether the stop was the planned end: a hold without end lasts until stopped. */
function endedByPlan(view: RunView): boolean {
  const { plan } = view;
  const groups = publisherGroups(plan);
  const isUnending = plan.pull ? plan.pull.holdMs === 0 : groups.some(({ holdMs }) => holdMs === 0);
  return isUnending && view.phases.some((phase) => phase.name === 'hold');
}

/** A sentence if there is nothing to judge. */
function prepare({
  view,
  stoppedMs,
  values,
  refused,
  audienceEnds,
  audienceStarts,
  runEvents = {},
}: JudgedRun): Judged | string {
  const { plan } = view;
  const testers = loadTesters(plan);
  const hasName = (node: NodeView, names: readonly string[]): boolean =>
    names.includes(node.name) || names.includes(node.id);
  const ramps = view.phases.filter((phase) => phase.name === 'ramp');
  const holds = view.phases.filter((phase) => phase.name === 'hold');
  const [[ramp], [hold]] = [ramps, holds];
  const origins = originNames(plan).flatMap(
    (from) => view.nodes.find((node) => node.role === 'origin' && hasName(node, [from])) ?? [],
  );
  const [origin] = origins;
  if (!ramp || !origin)
    return `The ${publishesOnly(plan) ? 'publishers' : 'audience'} never started, so there is nothing to judge.`;
  const last = holds.at(-1) ?? ramps.at(-1) ?? ramp;
  const toMs = last.endMs ?? stoppedMs ?? view.endedMs ?? view.figures.timeMs;
  return {
    view,
    time: { runStartMs: view.startedMs, fromMs: ramp.startMs, holdFromMs: hold?.startMs, toMs },
    origin,
    origins,
    // A pull added later may have other testers.
    testers: view.nodes.filter(
      (node) =>
        node.role === 'tester' && (hasName(node, testers) || values(node.id, 'viewersConnected').timeMs.length > 0),
    ),
    values,
    refused,
    audienceEnds,
    audienceStarts,
    lostTesters: runEvents.lostTesters,
    lostOrigins: runEvents.lostOrigins,
    originOutages: runEvents.originOutages,
    stoppedMs,
  };
}

function notStarted(failure: string, refused: readonly TesterLimit[]): Verdict {
  const reasons = refused.map(({ sentence, expected, fromMs, node }, i) => ({
    ...{ number: i + 1, sentence, expected, timeMs: fromMs, node },
    causedBy: 'tester' as const,
  }));
  return { ...inconclusive(`The run could not be started: ${failure}`), verdict: 'not-started', reasons };
}

/** The verdict of a run with nothing to judge. */
function unjudged(sentence: string, { lostTesters = [], lostOrigins = [], consolePause }: RunEvents): Verdict {
  const { verdict, deciding, others } = decide({ isStopped: false, findings: [], lostTesters, lostOrigins });
  const [first] = deciding;
  if (!first) return inconclusive(sentence);
  const why = first.causedBy === 'tester-lost' ? lostTesterSentence(first, consolePause) : first.sentence;
  return { verdict, sentence: why, reasons: numbered([...deciding, ...others]), headroom: [] };
}

/** The verdict of a run that the user stopped before it had viewers. */
function stoppedEarly({ startedMs, plan }: RunView, stoppedMs: number): Verdict {
  const client = publishesOnly(plan) ? 'publisher' : 'viewer';
  const sentence = `Stopped at ${formatRunTime(stoppedMs - startedMs)}, before the first ${client} was started.`;
  return { ...inconclusive(sentence), verdict: 'stopped' };
}

function inconclusive(sentence: string): Verdict {
  return { verdict: 'inconclusive', sentence, reasons: [], headroom: [] };
}

const lostTesterSentence = ({ sentence }: Claim, consolePause: string | undefined): string =>
  `${consolePause ?? 'A tester stopped.'} The origin can't be judged. ${sentence}`;

function headline(
  { view, time }: Judged,
  { verdict, deciding }: Decision,
  run: {
    readonly stoppedMs: number | undefined;
    readonly runEvents: RunEvents;
    readonly isPartial: boolean;
    readonly outages: Outages;
    readonly findings: readonly Finding[];
  },
): string {
  const { requested, connectedPeak, timeToAllMs } = view.figures;
  const { lostOrigins = [], originOutages = [], consolePause, stopCondition } = run.runEvents;
  const over = overNetworks(view.plan);
  const clients = clientsOf(view.plan);
  const got = `${formatCount(connectedPeak)} of ${formatCount(requested)} ${clients} connected${over}`;
  const atEnd = `${got}${connectedText(view, run.findings)}`;
  const at = (timeMs: number): string => formatRunTime(timeMs - time.runStartMs);
  const [lostOrigin] = lostOrigins;
  if (verdict === 'stopped') {
    const lost = outagesText(run.outages);
    const until = `${got} until then${lost === undefined ? '' : `, with ${lost}`}`;
    const stopped = `Stopped at ${at(run.stoppedMs ?? time.toMs)}; ${until}.`;
    return lostOrigin ? `${stopped} ${asSentence(lostOrigin.sentence, Object.keys(view.plan.nodes))}` : stopped;
  }
  const [first] = deciding;
  if (verdict === 'pass' || !first) {
    const besides = [outagesText(run.outages), reconnectionsText(run.outages)].filter((text) => text !== undefined);
    const met = [
      run.isPartial ? 'all measured expectations met' : 'all expectations met',
      ...(besides.length > 0 ? [`with ${besides.join(', and ')}`] : []),
    ].join(', ');
    const gone = originOutages.map(({ sentence }) => `; ${sentence.replace(/\.$/, '')}`).join('');
    if (connectedPeak < requested) return `${got}; ${met}${gone}.`;
    const within = timeToAllMs === undefined ? '' : ` within ${formatFigure(timeToAllMs / 1000, 'tenths')} s`;
    const all = requested === 1 ? `The ${clients.slice(0, -1)}` : `All ${formatCount(requested)} ${clients}`;
    return `${all} connected${over}${within}; ${met}${gone}.`;
  }
  if (lostOrigin) return `${atEnd}; ${lostOrigin.sentence}`;
  if (first.causedBy === 'tester-lost') return lostTesterSentence(first, consolePause);
  if (verdict === 'inconclusive') {
    const what = first.expectation === 'connected' ? got : atEnd;
    return `${what}, but the verdict is inconclusive: ${lowerFirst(first.sentence)}`;
  }
  const decisive = beforeConnected(deciding) ?? first;
  if (decisive.expectation === 'connected') return tooFew(view, got, decisive);
  if (decisive.sentence === stopCondition?.sentence) return decisive.sentence;
  if (decisive.expectation === 'outages' || decisive.causedBy === 'origin-lost')
    return `${atEnd}; ${decisive.sentence}`;
  return `${atEnd}; ${whatFailed(decisive, view.nodes)}${deciding.length > 1 ? ' first,' : ''} at ${at(decisive.timeMs)}.`;
}

/** A reason in a few words. */
function whatFailed({ expectation, series, node }: Claim, nodes: readonly NodeView[]): string {
  const name = nodes.find(({ id }) => id === node)?.name ?? node ?? 'the origin';
  if (series !== undefined) return `${seriesDefinition(series)?.title ?? series} of ${name} missed its limit`;
  if (expectation === 'degraded') return 'too many viewers degraded';
  return expectation === 'cpu' ? `CPU of ${name} exceeded its limit` : `GC pause of ${name} exceeded its limit`;
}

/** Within a sentence; node names keep their case, so only the rules' own first words are changed. */
function lowerFirst(sentence: string): string {
  return /^(The|This|Only|No) /.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

/** Too few viewers: those that never connected, or those that connected and were lost later. */
function tooFew({ plan, figures, failures, published = [] }: RunView, got: string, { sentence }: Claim): string {
  const { requested, connectedPeak } = figures;
  const isSeveral = severalAudiences(plan).length > 0;
  const { pull } = plan;
  // Why publishers were refused is the news.
  if (!pull)
    return connectedPeak < requested ? `${got}, fewer than expected.${refusedText(published)}` : `${got}; ${sentence}`;
  const media = failures.filter(({ stage }) => stage === 'media').reduce((sum, group) => sum + group.count, 0);
  const lost = Math.min(connectedPeak, media);
  // Those that connect again are not lost; of stages and several audiences the reason says which, and when.
  if (lost > 0 && !isSeveral && pull.reconnect !== true && pull.stages === undefined) {
    const later = `${lost === 1 ? 'was' : 'were'} lost before the end of the hold.`;
    return connectedPeak < requested
      ? `${got}, fewer than expected; ${formatCount(lost)} of them ${later}`
      : `${got}, of which ${formatCount(lost)} ${later}`;
  }
  if (connectedPeak >= requested) return `${got}; ${sentence}`;
  return isSeveral ? `${got}, fewer than expected: ${sentence}` : `${got}, fewer than expected.`;
}
