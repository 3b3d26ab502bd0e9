import { currentSeries } from '../../../domain/series/renamed';
import { inMeta, inRow, isJson, type Json, type Step } from './step';

/**
 * Formats 1 to 4 were never released, so one conversion leads from each of them to format 5: names that one of them had
 * are names of no later one. Besides names: since format 2 each row has a checksum; since format 5 distributions are
 * tables, and gaps of 500 ms are stalls (a freeze is that of W3C webrtc-stats).
 */

/** Fields of a saved object: each with its new name, its new value, or both. */
type Changes = Readonly<Record<string, string | Change | readonly [name: string, change: Change]>>;
type Change = (value: unknown) => unknown;

/** Anything but an object stays unchanged. */
function changed(saved: unknown, changes: Changes): unknown {
  if (!isJson(saved)) return saved;
  return Object.fromEntries(
    Object.entries(saved).map(([key, value]) => {
      const change = Object.hasOwn(changes, key) ? changes[key] : undefined;
      if (typeof change === 'string') return [change, value];
      if (typeof change === 'function') return [key, change(value)];
      return change ? [change[0], change[1](value)] : [key, value];
    }),
  );
}

const each = (changes: Changes) => (saved: unknown) =>
  Array.isArray(saved) ? saved.map((item) => changed(item, changes)) : saved;
const inside = (changes: Changes) => (saved: unknown) => changed(saved, changes);
const oneOf = (names: Readonly<Record<string, string>>) => (saved: unknown) =>
  typeof saved === 'string' && Object.hasOwn(names, saved) ? names[saved] : saved;
/** Of a map: changes its keys, or all of its values. */
const keysOf = (rename: (key: string) => unknown) => (saved: unknown) =>
  isJson(saved) ? Object.fromEntries(Object.entries(saved).map(([key, value]) => [String(rename(key)), value])) : saved;
const valuesOf = (change: Change) => (saved: unknown) =>
  isJson(saved) ? Object.fromEntries(Object.entries(saved).map(([key, value]) => [key, change(value)])) : saved;

/** The current id of a series. */
const series = (saved: unknown): unknown => (typeof saved === 'string' ? currentSeries(saved) : saved);
const cause = oneOf({ goodbye: 'rtcp-bye' });
const stall = oneOf({ freeze: 'stall' });
const viewerStates: Readonly<Record<string, string>> = { leaving: 'disconnecting', left: 'disconnected' };
const viewerState = oneOf(viewerStates);
/** A state as files of any format have it in the column `state`. */
export const savedViewerStates = (state: string): readonly string[] => [
  state,
  ...Object.keys(viewerStates).filter((old) => viewerStates[old] === state),
];

const settings = inside({ queries: keysOf(series) });
const pull: Changes = {
  search: inside({ mostViewers: 'maxViewers' }),
  realism: ['fidelity', oneOf({ lean: 'media-only', full: 'browser' })],
};
const limit = inside({ held: 'maxMet', broke: 'minMissed', gaveOut: 'bottleneck' });

const view: Changes = {
  plan: inside({
    nodes: valuesOf(settings),
    pull: inside(pull),
    also: each(pull),
    thresholds: each({ series }),
    stopWhen: each({ what: series }),
  }),
  nodes: each({ settings, remedy: 'fix', answerMs: 'responseMs' }),
  figures: inside({ rateAsked: 'rateTarget' }),
  failures: each({ cause }),
  preflight: inside({
    findings: each({
      rule: oneOf({ 'tester.strength': 'tester.capacity', 'tester.together': 'tester.shared-host' }),
    }),
  }),
  limit,
  verdict: inside({ reasons: each({ series }), room: 'headroom' }),
  earlyEnd: inside({ kind: oneOf({ person: 'user' }) }),
  imported: inside({ queries: keysOf(series) }),
  layout: inside({
    layout: inside({ custom: each({ series: (ids) => (Array.isArray(ids) ? ids.map(series) : ids) }) }),
  }),
};

const summary: Changes = {
  limit,
  // It is compared with the shape of later runs.
  planShape: (shape) => (typeof shape === 'string' ? shape.replaceAll('whep full, ', 'whep browser, ') : shape),
};

const viewer: Changes = {
  state: viewerState,
  freezes: 'stalls',
  frozenMs: 'stalledMs',
  degradedBecause: ['degradedReason', stall],
  degradedReason: stall,
  failure: inside({ cause }),
  detail: inside({
    timeline: each({ name: (name) => stall(viewerState(name)), because: ['reason', stall], reason: stall }),
    counters: keysOf((key) => (key === 'stalls' ? 'rebufferings' : key)),
  }),
};

export const unreleased: Step = {
  meta: inMeta({
    view: (saved) => changed(saved, view) as Json,
    summary: (saved) => changed(saved, summary) as Json,
  }),
  series: ([id = null, node = null, name = null]) => [id, node, series(name) as string],
  event: inRow(2, inside({ mark: oneOf({ back: 'recovered' }) })),
  viewer: (values) => {
    const [tester = null, job = null, number = null, state = null, value = null] = values;
    return inRow(4, inside(viewer))([tester, job, number, viewerState(state) as string, value]);
  },
  figures: inRow(0, each({ series })),
};
