import { currentSeries } from '../../../domain/series/renamed';
import { inMeta, inRow, isJson, type Json, type Step } from './step';

/** Names of a saved object: each key with its new name, or with a new value. */
type Changes = Readonly<Record<string, string | ((value: unknown) => unknown)>>;

/** Renames and converts fields of an object; anything but an object stays unchanged. */
function changed(saved: unknown, changes: Changes): unknown {
  if (!isJson(saved)) return saved;
  return Object.fromEntries(
    Object.entries(saved).map(([key, value]) => {
      const change = Object.hasOwn(changes, key) ? changes[key] : undefined;
      if (typeof change === 'string') return [change, value];
      return [key, change ? change(value) : value];
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
const valuesOf = (change: (value: unknown) => unknown) => (saved: unknown) =>
  isJson(saved) ? Object.fromEntries(Object.entries(saved).map(([key, value]) => [key, change(value)])) : saved;

const series = (saved: unknown): unknown => (typeof saved === 'string' ? currentSeries(saved) : saved);
const cause = oneOf({ goodbye: 'rtcp-bye' });
const viewerStates: Readonly<Record<string, string>> = { leaving: 'disconnecting', left: 'disconnected' };
const viewerState = oneOf(viewerStates);
/** A state as files of any format have it in the column `state`. */
export const savedViewerStates = (state: string): readonly string[] => [
  state,
  ...Object.keys(viewerStates).filter((old) => viewerStates[old] === state),
];

const settings = inside({ queries: keysOf(series) });
const pull: Changes = { search: inside({ mostViewers: 'maxViewers' }) };
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
  verdict: (verdict) => changed(changed(verdict, { reasons: each({ series }) }), { room: 'headroom' }),
  earlyEnd: inside({ kind: oneOf({ person: 'user' }) }),
  imported: inside({ queries: keysOf(series) }),
  layout: inside({
    layout: inside({ custom: each({ series: (ids) => (Array.isArray(ids) ? ids.map(series) : ids) }) }),
  }),
};

const viewer: Changes = {
  state: viewerState,
  degradedBecause: 'degradedReason',
  failure: inside({ cause }),
  detail: inside({
    timeline: (entries) => each({ because: 'reason' })(each({ name: viewerState })(entries)),
  }),
};

/** Names of the field: series, fields of findings and viewers, states and causes. */
export const to4: Step = {
  meta: inMeta({
    view: (saved) => changed(saved, view) as Json,
    summary: (saved) => changed(saved, { limit }) as Json,
  }),
  series: ([id = null, node = null, name = null]) => [id, node, series(name) as string],
  event: inRow(2, inside({ mark: oneOf({ back: 'recovered' }) })),
  viewer: (values) => {
    const [tester = null, job = null, number = null, state = null, value = null] = values;
    return inRow(4, inside(viewer))([tester, job, number, viewerState(state) as string, value]);
  },
  figures: inRow(0, each({ series })),
};
