import { bounds, jitterBound } from './conditions.mjs';

const off = (said, truth, of) => Math.abs(said[of] - truth[of]);

/**
 * How far from the truth each figure is, with its bound. A browser counts pictures that it can show, which ends with the first packet that is
 * lost for good and begins again at a keyframe: its freezes have no bound, and its frames have one only where losses are repaired.
 * @returns {{ what: string, value: number, unit: string, most: number }[]}
 */
export const offTheTruth = ({ results }) =>
  results.flatMap(({ condition, agent, browser }) =>
    [
      ['agent', agent],
      ['Chromium', browser],
    ]
      .filter(([, compared]) => compared)
      .flatMap(([who, { said, truth }]) => {
        const row = (what, value, unit, most) => ({
          what: `${condition.name}: ${who}, ${what} off by`,
          value,
          unit,
          most,
        });
        return [
          row('loss', off(said, truth, 'lossPercent'), 'points', bounds.lossPoints),
          ...(who === 'agent' || !condition.way.noRepair
            ? [row('frame rate', off(said, truth, 'framesPerSecond'), '/s', bounds.framesPerSecond)]
            : []),
          // A pause is a spike that is gone within a second: two looks at it that lie a moment apart say nothing.
          ...(condition.pauseMs === undefined
            ? [row('jitter', off(said, truth, 'jitterMs'), 'ms', jitterBound(truth.jitterMs))]
            : []),
          ...(who === 'agent' ? [row('freezes', off(said, truth, 'freezes'), '', bounds.freezes)] : []),
        ];
      }),
  );
