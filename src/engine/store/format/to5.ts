import { changed, each, inside, keysOf, oneOf, series, valuesOf, type Changes } from './renaming';
import { inMeta, inRow, type Json, type Step } from './step';

const settings = inside({ queries: keysOf(series) });

const view: Changes = {
  plan: inside({
    nodes: valuesOf(settings),
    thresholds: each({ series }),
    stopWhen: each({ what: series }),
  }),
  nodes: each({ settings }),
  verdict: inside({ reasons: each({ series }) }),
  imported: inside({ queries: keysOf(series) }),
  layout: inside({
    layout: inside({ custom: each({ series: (ids) => (Array.isArray(ids) ? ids.map(series) : ids) }) }),
  }),
};

const stall = oneOf({ freeze: 'stall' });
const viewer: Changes = {
  freezes: 'stalls',
  frozenMs: 'stalledMs',
  degradedReason: stall,
  detail: inside({
    timeline: each({ name: stall, reason: stall }),
    counters: keysOf((key) => (key === 'stalls' ? 'rebufferings' : key)),
  }),
};

/** Gaps of 500 ms are stalls: a freeze is that of W3C webrtc-stats. Distributions are new tables. */
export const to5: Step = {
  meta: inMeta({ view: (saved) => changed(saved, view) as Json }),
  series: ([id = null, node = null, name = null]) => [id, node, series(name) as string],
  viewer: inRow(4, inside(viewer)),
  figures: inRow(0, each({ series })),
};
