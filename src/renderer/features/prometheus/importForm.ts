import { asSentence } from '../../../domain/text/sentence';
import type { CallInput } from '../../../contract/engine';
import {
  expectedSamples,
  timestampsOf,
  suggestedStepMs,
  volumeProblem,
  type FoundNode,
} from '../../../domain/plan/importPlan';
import type { TimeSpan } from '../../../domain/model/imported';
import { parseDuration, writeDuration } from '../../../domain/plan/quantity';
import { seriesDefinition } from '../../../domain/series/series';
import { formatIsoDay, timeOfWall, formatWallTime, type TimeZoneChoice } from '../../../domain/text/timeFormat';
import type { QueryRow } from '../../parts/nodes/queryRow';
import { errorText } from '../../../domain/text/errorText';

/** Address and credentials of a Prometheus. */
export interface PrometheusAddress {
  readonly prometheus: string;
  readonly user: string;
  readonly password: string;
  readonly selfSigned: boolean;
}

/** What to import, as typed. */
export interface RangeForm {
  readonly from: string;
  readonly to: string;
  /** Empty: derived from the range. */
  readonly step: string;
  readonly name: string;
  /** Names of excluded nodes. */
  readonly without: readonly string[];
  readonly queries: readonly QueryRow[];
}

export type RangeField = 'from' | 'to' | 'step' | 'nodes' | 'queries';
export interface RangeProblem {
  readonly path: RangeField;
  readonly sentence: string;
}

export const emptyAddress: PrometheusAddress = { prometheus: '', user: '', password: '', selfSigned: false };

const usualScrapeMs = 15_000;
/** Approximate bytes of a sample in a run file: times are shared, values change little. */
const bytesPerSample = 4;

export const spans = [
  { id: 'hour', text: 'Last hour', ms: 3_600_000 },
  { id: 'sixHours', text: '6 h', ms: 6 * 3_600_000 },
  { id: 'day', text: '24 h', ms: 24 * 3_600_000 },
  { id: 'all', text: 'All', ms: Infinity },
] as const;
export type SpanId = (typeof spans)[number]['id'];

/** Format of typed times: `2026-11-21 14:20:00`. */
export function timestampText(timeMs: number, zone: TimeZoneChoice): string {
  return `${formatIsoDay(timeMs, zone)} ${formatWallTime(timeMs, zone)}`;
}

/** Unix ms of a typed time; undefined if invalid, e.g. 31 February. */
export function parseTimestamp(text: string, zone: TimeZoneChoice): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return undefined;
  return timeOfWall(Date.UTC(year, month - 1, day, hour, minute, second), zone);
}

/** When the chosen nodes have data; undefined without any. */
export function sampledRange(nodes: readonly FoundNode[]): TimeSpan | undefined {
  const found = nodes.flatMap((node) => node.found);
  if (found.length === 0) return undefined;
  return {
    fromMs: Math.min(...found.map(({ firstMs }) => firstMs)),
    toMs: Math.max(...found.map(({ lastMs }) => lastMs)),
  };
}

/** The last part of the available range, of this length. */
export function spanOf(id: SpanId, nodes: readonly FoundNode[]): TimeSpan | undefined {
  const seen = sampledRange(nodes);
  const ms = spans.find((span) => span.id === id)?.ms ?? Infinity;
  return seen && { fromMs: Math.max(seen.fromMs, seen.toMs - ms), toMs: seen.toMs };
}

export function chosenNodes(nodes: readonly FoundNode[], { without }: RangeForm): readonly FoundNode[] {
  return nodes.filter(({ name }) => !without.includes(name));
}

/** Result of a form: what would be imported, or its problems. */
export interface ReadRange {
  readonly problems: readonly RangeProblem[];
  readonly stepMs?: number;
  readonly moments?: number;
  readonly samples?: number;
  readonly bytes?: number;
  readonly request?: Omit<CallInput<'prometheus.import'>, 'prometheus'>;
}

export function readRange(form: RangeForm, all: readonly FoundNode[], zone: TimeZoneChoice): ReadRange {
  const problems: RangeProblem[] = [];
  const wrong = (path: RangeField, sentence: string): void => void problems.push({ path, sentence });
  const nodes = chosenNodes(all, form);
  const [fromMs, toMs] = [parseTimestamp(form.from, zone), parseTimestamp(form.to, zone)];
  if (fromMs === undefined) wrong('from', 'Use the format 2026-11-21 14:20:00.');
  if (toMs === undefined) wrong('to', 'Use the format 2026-11-21 15:20:00.');
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs) wrong('to', 'The end must be after the start.');
  const typedMs = form.step.trim() === '' ? undefined : parseDuration(form.step.trim());
  if (form.step.trim() !== '' && (typedMs === undefined || typedMs < 100))
    wrong('step', 'Use a step such as 15s or 1m.');
  const queries = readQueries(form.queries, wrong);
  if (nodes.length === 0) wrong('nodes', 'Choose at least one node.');
  if (fromMs === undefined || toMs === undefined || problems.length > 0) return { problems };

  const range = { fromMs, toMs };
  const scrapes = nodes.flatMap(({ found }) => found.map(({ scrapeMs = usualScrapeMs }) => scrapeMs));
  const stepMs = typedMs ?? suggestedStepMs(range, Math.min(...scrapes));
  const samples = expectedSamples(nodes, { ...range, stepMs }, Object.keys(queries).length);
  const tooMany = volumeProblem(samples, stepMs);
  if (tooMany !== undefined) wrong('step', tooMany);
  return {
    ...{ problems, stepMs, samples, moments: timestampsOf(range, stepMs), bytes: samples * bytesPerSample },
    request: {
      ...{ ...range, stepMs },
      nodes: nodes.map(({ name, role, targets }) => ({ name, role, targets: [...targets] })),
      ...(Object.keys(queries).length > 0 ? { queries } : {}),
      ...(form.name.trim() === '' ? {} : { name: form.name.trim() }),
    },
  };
}

function readQueries(
  rows: readonly QueryRow[],
  wrong: (path: RangeField, sentence: string) => void,
): Record<string, string> {
  const queries: Record<string, string> = {};
  for (const { series, query } of rows) {
    const [name, text] = [series.trim(), query.trim()];
    if (name === '' && text === '') continue;
    if (!seriesDefinition(name)) wrong('queries', `Unknown series "${name}". Use server:NAME for a custom metric.`);
    else if (text === '') wrong('queries', `The query of ${name} is empty.`);
    else queries[name] = text;
  }
  return queries;
}

/** Display names of the series of these nodes, each once. */
export function seriesTitles(nodes: readonly FoundNode[]): readonly string[] {
  const ids = nodes.flatMap(({ found }) => found.flatMap(({ series }) => Object.keys(series)));
  return [
    ...new Set(
      ids.map((id) => {
        const [base = '', label] = id.split(':');
        if (label === undefined) return seriesDefinition(id)?.title ?? id;
        if (base === 'cpuCorePercent') return 'CPU by core';
        if (base === 'server') return label.startsWith('{') ? 'Server metrics' : label;
        return `${seriesDefinition(base)?.title ?? base} by interface`;
      }),
    ),
  ];
}

/** Display form of a step: `every 15s`. */
export function stepText(stepMs: number): string {
  return `every ${writeDuration(stepMs)}`;
}

/** A sentence for the import dialog, without the redundant prefix. */
export function plainSentence(error: unknown): string {
  const sentence = errorText(error).replace(/^import: /, '');
  return asSentence(sentence);
}
