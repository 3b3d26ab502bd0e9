import { changed, each, inside, keysOf, oneOf, series, valuesOf, type Changes } from './renaming';
import { inMeta, inRow, type Json, type Step } from './step';

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
