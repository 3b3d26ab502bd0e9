import type { FamilyFile, FigureRule, RecognitionRule } from '../../../domain/family/familyFile';
import { findAll } from '../../../domain/family/pointer';
import { streamsIn, type ReportedStream } from '../../../domain/family/streamsIn';
import type { SeriesId } from '../../../domain/series/series';
import { FullhouseError } from '../../../contract/calls';
import type { ProbeTarget, ServerFound } from '../adapter';
import { detectByFile, recognise, typedOrigin } from './detect';
import { addressesOf, placesOf } from './places';
import { figureIn, readAll, treeOf, versionIn } from './responses';

/** What a family file finds at an address, field by field, for the person who writes it. */
export interface FamilyCheck {
  /** One row for each way to recognise it, with the version where it found one. */
  readonly recognise: ReadonlyArray<{ readonly rule: string; readonly matches: boolean; readonly version?: string }>;
  readonly found: ServerFound | undefined;
  /** One row for each request: what it returned, or why it failed. */
  readonly requests: ReadonlyArray<{ readonly name: string; readonly fault?: string }>;
  readonly version?: string;
  readonly streams?: readonly ReportedStream[];
  /** Elements at `streams.each`, of which some may have no name or not meet `where`. */
  readonly elements?: number;
  /** Keys of the first element, if none of them is a stream. */
  readonly keys?: readonly string[];
  /** Fields of the streams for which no stream has a value. */
  readonly emptyFields: readonly string[];
  readonly figures: ReadonlyArray<{ readonly series: string; readonly value?: number; readonly isCounter: boolean }>;
  /** Addresses of the first stream, or of one called `cam`. */
  readonly addresses: ReadonlyArray<readonly [protocol: string, address: string]>;
}

const ruleText = (rule: RecognitionRule): string =>
  'rtsp' in rule
    ? `OPTIONS on {${rule.rtsp}}, server: ${[rule.server].flat().join(', ')}`
    : 'rtmp' in rule
      ? `connect on {${rule.rtmp}}, fmsVer: ${[rule.fmsVer].flat().join(', ')}`
      : `GET ${rule.get}${rule.status === undefined ? '' : `, status ${[rule.status].flat().join(' or ')}`}${Object.entries(
          rule.header ?? {},
        )
          .map(([name, patterns]) => `, ${name}: ${[patterns].flat().join(', ')}`)
          .join('')}${rule.body === undefined ? '' : `, body: ${[rule.body].flat().join(', ')}`}`;

/** Tries the file at an address. Sends what a node of this family would, and nothing else. */
export async function checkFamilyAt(rules: FamilyFile, target: ProbeTarget): Promise<FamilyCheck> {
  const named = { server: 'file', familyFile: rules.family } as const;
  const typed = typedOrigin(target);
  const [found, ...recognised] = await Promise.all([
    detectByFile(rules, target, named),
    ...rules.recognise.map(async (rule) => {
      const atTyped = typed === undefined ? undefined : await recognise(rules, rule, typed, target);
      const at = atTyped ?? (await recognise(rules, rule, undefined, target));
      return { rule: ruleText(rule), matches: at !== undefined, ...(at?.version ? { version: at.version } : {}) };
    }),
  ]);
  const base = { recognise: recognised, found, requests: [], emptyFields: [], figures: [], addresses: [] };
  if (!found) return base;
  const { host, secrets, user, http, clock } = target;
  const settings = { ...found.settings, ...(user === undefined ? {} : { user }) };
  const places = placesOf(rules, host, settings);
  const responses = await readAll(rules, places, { who: host, settings, secrets: () => secrets, http, clock });
  const version = versionIn(rules, responses);
  const tree = rules.streams && treeOf(responses, rules.streams.from);
  const streams = rules.streams && tree !== undefined ? streamsIn(tree, rules.streams, clock.now()) : undefined;
  const { play, publish } = addressesOf(rules, places, settings, streams?.[0]?.name ?? 'cam');
  return {
    ...base,
    requests: Object.entries(responses).map(([name, response]) => ({
      name,
      ...(response instanceof FullhouseError ? { fault: response.message } : {}),
    })),
    ...(version === undefined ? {} : { version }),
    ...(streams === undefined ? {} : { streams }),
    ...(rules.streams && tree !== undefined ? elementsOf(tree, rules.streams.each, streams?.length ?? 0) : {}),
    emptyFields: streams && streams.length > 0 ? emptyIn(rules, streams) : [],
    figures: Object.entries<FigureRule>(rules.figures).map(([series, rule]) => {
      const value = figureIn(responses, rule);
      return {
        series: series as SeriesId,
        isCounter: rule.isCounter ?? false,
        ...(value === undefined ? {} : { value }),
      };
    }),
    addresses: [
      ...Object.entries(play).map(([protocol, address]) => [`play ${protocol}`, address] as const),
      ...Object.entries(publish).map(([protocol, address]) => [`publish ${protocol}`, address] as const),
    ],
  };
}

/** How many elements there are; the keys of the first one help where none is a stream. */
function elementsOf(tree: unknown, each: string, streams: number): Pick<FamilyCheck, 'elements' | 'keys'> {
  const found = findAll(tree, each);
  const [first] = found;
  if (streams > 0 || !first || typeof first.value !== 'object' || first.value === null)
    return { elements: found.length };
  return { elements: found.length, keys: Object.keys(first.value).slice(0, maxKeys) };
}

const maxKeys = 30;

/** Fields that the file describes and that no stream has. */
function emptyIn({ streams }: FamilyFile, found: readonly ReportedStream[]): readonly string[] {
  const described = Object.keys(streams ?? {}).filter(
    (key) => !['from', 'each', 'name', 'isNamedByAddress', 'where', 'published', 'since'].includes(key),
  );
  const wanted = [...described, ...(streams?.since === undefined ? [] : ['ageMs'])];
  return wanted.filter((key) => found.every((stream) => stream[key as keyof ReportedStream] === undefined));
}
