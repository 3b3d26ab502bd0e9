import type { PlayProtocol } from '../model/protocols';
import { percentDecoded } from '../text/percentDecoded';
import type { StreamsRule } from './familyFile';
import { findAll, type Found } from './pointer';
import { fillFrom, firstText, holds, sumOf, textOf } from './values';

/** A stream as a server's API reports it. Unknown values are absent. */
export interface ReportedStream {
  readonly name: string;
  /** Absent while it has no publisher. */
  readonly publisher?: string;
  readonly viewers?: number;
  readonly viewersBy?: Readonly<Partial<Record<PlayProtocol, number>>>;
  /** Counters. */
  readonly bytesIn?: number;
  readonly bytesOut?: number;
  readonly bitrateKbps?: number;
  /** Of all viewers together. */
  readonly outKbps?: number;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly ageMs?: number;
  /** Where it was found, to end its publisher. */
  readonly found: Found;
}

/** Values before this are seconds since 1970, later ones milliseconds. */
const firstMs = 1e11;

/** The streams in a response, each name once: some servers list a stream for each format. `nowMs` is the wall clock, for their ages. */
export function streamsIn(response: unknown, rule: StreamsRule, nowMs: number): readonly ReportedStream[] {
  const names = new Set<string>();
  return findAll(response, rule.each).flatMap((found) => {
    const text = fillFrom(found, rule.name);
    const name = rule.isNamedByAddress ? pathOf(text) : text;
    if (name === undefined || name === '' || names.has(name) || (rule.where && !holds(found.value, rule.where)))
      return [];
    names.add(name);
    return [{ name, found, ...publisherOf(found, rule), ...figuresOf(found, rule), ...ageOf(found, rule, nowMs) }];
  });
}

/** The path of an address, decoded and without its first slash; undefined without one. */
function pathOf(address: string | undefined): string | undefined {
  const path = address === undefined ? undefined : /^[a-z]+:\/\/[^/?#]+\/([^?#]+)/i.exec(address)?.[1];
  return path === undefined ? undefined : percentDecoded(path);
}

function publisherOf(found: Found, { publisher, published }: StreamsRule): Pick<ReportedStream, 'publisher'> {
  if (published && !holds(found.value, published)) return {};
  const text =
    publisher === undefined
      ? ''
      : typeof publisher === 'string'
        ? fillFrom(found, publisher)
        : firstText(found.value, publisher);
  // Without a rule every stream in the list is published.
  if (text === undefined) return published ? { publisher: '' } : {};
  return { publisher: text };
}

const wholeKeys = ['bytesIn', 'bytesOut', 'width', 'height'] as const;
const numberKeys = ['bitrateKbps', 'outKbps', 'fps'] as const;

function figuresOf(found: Found, rule: StreamsRule): Partial<ReportedStream> {
  const { value } = found;
  const entries: [string, unknown][] = [];
  const viewers = rule.viewers === undefined ? undefined : sumOf(value, rule.viewers);
  if (viewers !== undefined) entries.push(['viewers', Math.max(0, Math.round(viewers))]);
  if (rule.viewersBy) entries.push(['viewersBy', countedBy(value, rule.viewersBy)]);
  for (const key of wholeKeys) {
    const number = rule[key] === undefined ? undefined : sumOf(value, rule[key]);
    if (number !== undefined && number >= 0) entries.push([key, Math.round(number)]);
  }
  for (const key of numberKeys) {
    const number = rule[key] === undefined ? undefined : sumOf(value, rule[key]);
    if (number !== undefined && (number > 0 || (number === 0 && key === 'outKbps'))) entries.push([key, number]);
  }
  for (const key of ['videoCodec', 'audioCodec'] as const) {
    const text = rule[key] === undefined ? undefined : firstText(value, rule[key]);
    if (text) entries.push([key, text]);
  }
  return Object.fromEntries(entries);
}

/** Kinds without a protocol are not viewers: recordings, relays. */
function countedBy(
  stream: unknown,
  rule: NonNullable<StreamsRule['viewersBy']>,
): Readonly<Partial<Record<PlayProtocol, number>>> {
  const counts: Partial<Record<PlayProtocol, number>> = {};
  if ('counts' in rule) {
    for (const [protocol, pointers] of Object.entries(rule.counts)) {
      const numbers = pointers.flatMap((at) => sumOf(stream, at) ?? []);
      // Some servers report -1 for a number that they don't know.
      const total = numbers.reduce((sum, each) => sum + Math.max(0, each), 0);
      if (numbers.length > 0) counts[protocol as PlayProtocol] = total;
    }
    return counts;
  }
  for (const { value } of findAll(stream, rule.each)) {
    const protocol =
      'kinds' in rule
        ? rule.kinds.find(({ where }) => holds(value, where))?.protocol
        : ownValue(rule.protocols, textOf(value) ?? '');
    if (protocol !== undefined) counts[protocol] = (counts[protocol] ?? 0) + 1;
  }
  return counts;
}

const ownValue = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

function ageOf({ value }: Found, { since, ageMs }: StreamsRule, nowMs: number): Pick<ReportedStream, 'ageMs'> {
  const age = ageMs === undefined ? undefined : sumOf(value, ageMs);
  if (age !== undefined) return age >= 0 ? { ageMs: age } : {};
  if (since === undefined) return {};
  const number = sumOf(value, since);
  const startMs =
    number === undefined ? Date.parse(firstText(value, since) ?? '') : number < firstMs ? number * 1000 : number;
  return Number.isFinite(startMs) && startMs > 0 && startMs <= nowMs ? { ageMs: Math.round(nowMs - startMs) } : {};
}
