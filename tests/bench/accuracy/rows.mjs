import { maxFramesOffPercent } from './codecs.mjs';
import { bounds, jitterBound } from './conditions.mjs';

const off = ({ reported, truth }, of) => Math.abs(reported[of] - truth[of]);
const rounded = (value) => Math.round(value * 100) / 100;

/**
 * Deviation of each figure from the ground truth, with its bound. A browser counts decodable frames only, so none from
 * the first unrepaired packet to the next keyframe: its freezes (by W3C's rule) have no bound, and its frames have one only where
 * losses are repaired.
 */
const figures = [
  {
    name: 'loss',
    unit: 'points',
    of: (compared) => off(compared, 'lossPercent'),
    most: () => bounds.lossPoints,
    isBound: () => true,
  },
  {
    name: 'frame rate',
    unit: '/s',
    of: (compared) => off(compared, 'framesPerSecond'),
    most: () => bounds.framesPerSecond,
    isBound: (who, { way }) => who === 'agent' || !way.noRepair,
  },
  {
    name: 'jitter',
    unit: 'ms',
    of: (compared) => off(compared, 'jitterMs'),
    most: ({ truth }) => jitterBound(truth.jitterMs),
    // A pause is a spike that decays within a second: two readings at different times are not comparable.
    isBound: (who, { pauseMs }) => pauseMs === undefined,
  },
  {
    name: 'stalls',
    unit: '',
    of: (compared) => off(compared, 'stalls'),
    most: () => bounds.stalls,
    isBound: (who) => who === 'agent',
  },
];

/**
 * For each figure the condition under which it is closest to its bound, or furthest beyond.
 * @returns {{ what: string, value: number, unit: string, most: number }[]}
 */
export function deviations({ results }) {
  const worst = (who, { name, unit, of, most, isBound }) =>
    results
      .filter((each) => each[who] && isBound(who, each.condition))
      .map((each) => ({ each, value: of(each[who]), most: most(each[who]) }))
      .sort((a, b) => b.value / b.most - a.value / a.most)
      .slice(0, 1)
      .map(({ each, value, most: bound }) => ({
        what: `${who}: ${name} off the truth, at worst (${each.condition.name})`,
        value,
        unit,
        most: rounded(bound),
      }));
  return ['agent', 'browser'].flatMap((who) => figures.flatMap((figure) => worst(who, figure)));
}

/**
 * Of each codec how far the agent's frames are off the lab's count and off Chromium's, each with its bound.
 * @returns {{ what: string, value: number, unit: string, most: number }[]}
 */
export function codecDeviations({ codecs }) {
  const bounded = (what, value) => ({ what, value: rounded(value), unit: '%', most: maxFramesOffPercent });
  return codecs.flatMap(({ name, offTruth, offBrowser, fpsOffBrowser }) => [
    bounded(`${name}: agent's frames off the truth`, offTruth),
    ...(offBrowser === undefined
      ? []
      : [
          bounded(`${name}: agent's frames off Chromium's`, offBrowser),
          bounded(`${name}: agent's frames a second off Chromium's`, fpsOffBrowser),
        ]),
  ]);
}
