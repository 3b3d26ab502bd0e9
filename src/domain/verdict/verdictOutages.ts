import type { Finding, Judged } from '../evidence/evidence';
import type { Outage, OutageCause } from '../model/outages';
import { defaultExpectations, type Expectation } from '../model/plan';
import { formatDuration } from '../text/timeFormat';
import { lengthMs, lostTesterMs, shareOf, type AudienceOutages, type JudgedOutage } from './audienceOutages';
import { lengthOf } from './findOutages';
import { at, expected } from './verdictRules';
import { formatCount, formatViewers, counted } from '../text/numberFormat';

/**
 * The longest outage of each audience. By default one fails an audience whose viewers don't connect again; that of the
 * others is a note. One that lasts to the end of the hold is the failure of `connected`, if that failed too.
 */
export function judgeOutages(
  judged: Judged,
  all: readonly AudienceOutages[],
  expectation: Expectation | undefined,
  connected: readonly Finding[],
): Finding[] {
  const findings = all.flatMap((audience) => judgeAudience(judged, audience, expectation, connected));
  const met = findings.filter(({ result, isQuiet }) => result === 'met' && isQuiet);
  if (met.length < 2) return findings.map(({ isQuiet: _, ...finding }) => finding);
  // With many audiences, those without an outage get no sentence of their own.
  const [first] = met;
  const held = all.filter(({ heldMs }) => heldMs > 0).length;
  const sentence = `No outage of ${formatCount(met.length)} ${met.length === held ? '' : `of ${formatCount(held)} `}audiences.`;
  const kept = findings.filter((finding) => finding === first || !met.includes(finding));
  return kept.map((each) => {
    const { isQuiet: _, audience, ...finding } = each;
    if (each === first) return { ...finding, sentence };
    return { ...finding, ...(audience === undefined ? {} : { audience }) };
  });
}

interface QuietFinding extends Finding {
  /** Without outages, gaps or reconnections. */
  readonly isQuiet?: boolean;
}

function judgeAudience(
  judged: Judged,
  audience: AudienceOutages,
  expectation: Expectation | undefined,
  connected: readonly Finding[],
): QuietFinding[] {
  const { outages, gaps, heldMs, reconnections, pull } = audience;
  if (heldMs === 0 && gaps.length === 0) return [];
  const sentence = sentenceFor(judged, audience);
  const isQuiet = outages.length + gaps.length + reconnections === 0;
  const limit = expectation ?? defaultExpectations.outages;
  const base = {
    ...(audience.name === undefined ? {} : { audience: audience.name }),
    ...{ expectation: 'outages' as const, sentence, expected: expected('outages', limit) },
    measured: Math.max(0, ...outages.map(lengthMs)) / 1000,
    timeMs: longestOf(outages)?.fromMs ?? judged.time.holdFromMs ?? judged.time.toMs,
  };
  // Always reported; without an expectation as a note.
  if (!expectation) return isQuiet ? [] : [{ ...base, result: 'inapplicable' }];
  const limitMs = 1000 * expectation.value;
  const isTooLong = (ms: number): boolean => ms > limitMs;
  const over = outages.filter((outage) => isTooLong(lengthMs(outage)));
  if (over.length > 0 && expectation.ifMeasured && pull.reconnect)
    return [{ ...base, result: 'inapplicable', sentence: `${sentence} Not judged: the viewers reconnect.` }];
  // What another reason reports already is no second one.
  const further = over.filter((outage) => !isReported(judged, audience, outage, connected));
  const certain = further.filter(({ ownMs }) => isTooLong(ownMs));
  const relevant = certain.length > 0 ? certain : further;
  const influences = relevant.flatMap((outage) => outage.influences);
  const longest = longestOf(relevant);
  if (over.length === 0) {
    const unknown = gaps.some((gap) => isTooLong(lengthMs(gap)));
    if (unknown) return [{ ...base, result: expectation.ifMeasured ? 'skipped' : 'missing' }];
    return [{ ...base, result: 'met', isQuiet }];
  }
  if (!longest || (certain.length === 0 && influences.length === 0)) return [{ ...base, result: 'inapplicable' }];
  return [
    {
      ...base,
      result: 'failed',
      timeMs: longest.fromMs,
      invalidatedBy: certain.length > 0 ? [] : influences,
    },
  ];
}

const longestOf = (all: readonly JudgedOutage[]): JudgedOutage | undefined =>
  all.reduce<JudgedOutage | undefined>(
    (most, outage) => (most && lengthMs(most) >= lengthMs(outage) ? most : outage),
    undefined,
  );

/** Whether another reason of the verdict is this outage. */
function isReported(
  { lostOrigins = [] }: Judged,
  { name }: AudienceOutages,
  { fromMs, isUntilEnd }: Outage,
  connected: readonly Finding[],
): boolean {
  const isShort = connected.some(
    ({ result, audience }) => result === 'failed' && (audience === undefined || audience === name),
  );
  if (isUntilEnd && isShort) return true;
  return lostOrigins.some(({ timeMs }) => fromMs >= timeMs - lostTesterMs);
}

/** A busy machine and a limited tester may have caused it; the others have. */
const causeText: Readonly<Record<OutageCause, readonly [verb: (one: boolean) => string, what: string]>> = {
  machine: [() => 'may have been', 'other programs on a machine'],
  tester: [() => 'may have been', 'a tester at its own limit'],
  'tester-lost': [(one) => (one ? 'was' : 'were'), 'a tester that stopped'],
  publisher: [(one) => (one ? 'was' : 'were'), 'a publisher that ended'],
};

/** `2 outages, 39 s in total, the longest 34 s from 00:10:12 on; fewest 0 of 300 viewers at 00:10:14.` */
function sentenceFor(judged: Judged, { name, outages, gaps, heldMs, reconnections }: AudienceOutages): string {
  const of = name === undefined ? '' : ` of ${name}`;
  const longestOne = longestOf(outages);
  const fewest = outages.reduce<Outage | undefined>(
    (least, outage) => (least && shareOf(least) <= shareOf(outage) ? least : outage),
    undefined,
  );
  const parts = [];
  if (longestOne && fewest) {
    const from = `${formatDuration(lengthMs(longestOne))} from ${at(judged, longestOne.fromMs)} on`;
    const low = `fewest ${formatCount(fewest.lowest)} of ${formatViewers(fewest.requested)} at ${at(judged, fewest.lowestMs)}`;
    parts.push(
      outages.length === 1
        ? `1 outage${of}: ${from}, ${low}.`
        : `${formatCount(outages.length)} outages${of}, ${formatDuration(lengthOf(outages))} in total, the longest ${from}; ${low}.`,
    );
  } else
    parts.push(`No outage${of} in the ${formatDuration(heldMs)} of the hold${gaps.length > 0 ? ' with data' : ''}.`);
  for (const [cause, [verb, what]] of Object.entries(causeText)) {
    const sameCause = outages.filter(({ causedBy }) => causedBy === cause).length;
    const which = outages.length === 1 ? 'It' : `${formatCount(sameCause)} of them`;
    if (sameCause > 0) parts.push(`${which} ${verb(sameCause === 1)} caused by ${what}.`);
  }
  if (reconnections > 0) parts.push(`${counted(reconnections, 'reconnection')}.`);
  if (gaps.length > 0) {
    const missing = formatDuration(lengthOf(gaps));
    const several = gaps.length === 1 ? '' : ` in ${formatCount(gaps.length)} gaps`;
    parts.push(`No data for ${missing}${several}: not judged.`);
  }
  return parts.join(' ');
}
