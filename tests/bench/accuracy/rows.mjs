import { bounds, jitterBound } from './conditions.mjs';

const off = ({ said, truth }, of) => Math.abs(said[of] - truth[of]);
const rounded = (value) => Math.round(value * 100) / 100;

/**
 * How far from the truth each figure is, with its bound. A browser counts pictures that it can show, which ends with the first packet that is
 * lost for good and begins again at a keyframe: its freezes have no bound, and its frames have one only where losses are repaired.
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
    // A pause is a spike that is gone within a second: two looks at it that lie a moment apart say nothing.
    isBound: (who, { pauseMs }) => pauseMs === undefined,
  },
  {
    name: 'freezes',
    unit: '',
    of: (compared) => off(compared, 'freezes'),
    most: () => bounds.freezes,
    isBound: (who) => who === 'agent',
  },
];

/**
 * Of each figure the condition under which it is nearest to its bound, or furthest beyond.
 * @returns {{ what: string, value: number, unit: string, most: number }[]}
 */
export function offTheTruth({ results }) {
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
