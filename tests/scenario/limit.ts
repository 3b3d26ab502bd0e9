import type { LimitResult, Trial } from '../../src/domain/model/limitFound';
import { fail256 } from './fail256';
import { pull742 } from './pull742';
import type { Scenario } from './scenario';

/** Trials of a search that found 262 +- 6 in its second repeat, with their times since the run's start. */
const tried: ReadonlyArray<readonly [viewers: number, result: Trial['result'], seconds: number]> = [
  [63, 'met', 12],
  [126, 'met', 30],
  [252, 'met', 50],
  [504, 'missed', 72],
  [378, 'missed', 98],
  [315, 'missed', 120],
  [283, 'missed', 140],
  [267, 'missed', 160],
  [259, 'met', 178],
  [256, 'met', 200],
  [263, 'met', 214],
  [270, 'missed', 228],
];

function trialsOf(startedMs: number, isDense: boolean): Trial[] {
  return tried.map(([viewers, result, seconds], index) => ({
    viewers,
    result,
    repeat: index < 9 ? 1 : 2,
    // The scenario of the run is shorter than a search.
    fromMs: startedMs + (isDense ? seconds * 0.45 : seconds * 0.55) * 1000,
    toMs: startedMs + (isDense ? seconds * 0.45 + 5 : seconds * 0.55 + 6) * 1000,
    sentence:
      result === 'met'
        ? `${viewers} held: 100 % connected, no viewer degraded, CPU of atom-c2550 ${Math.round(viewers * 0.29)} %.`
        : `CPU of atom-c2550 was at ${Math.min(99, Math.round(viewers * 0.305))} %; expected <= 80 %.`,
  }));
}

/** An active search: the interval was found once, and a size within it is tried. */
export function limitSearching(): Scenario {
  const live = pull742();
  const limit: LimitResult = {
    state: 'searching',
    maxMet: 252,
    minMissed: 283,
    repeats: 0,
    trials: trialsOf(live.startedMs, true).slice(0, 7),
    now: { kind: 'try', viewers: 267 },
    sentence: '252 viewers passed, 283 failed.',
  };
  return { ...live, run: { ...live.run, limit } };
}

/** A completed one, with its bottleneck. */
export function limitFound(): Scenario {
  const ended = fail256();
  const trials = trialsOf(ended.startedMs, false);
  const limit: LimitResult = {
    state: 'found',
    viewers: 265,
    plusMinus: 6,
    maxMet: 259,
    minMissed: 267,
    repeats: 2,
    trials,
    bottleneck: {
      what: 'origin-cpu',
      sentence: 'CPU of atom-c2550 was at 97.1 % (75.1 % below the break) with 267 viewers at 00:01:28.',
      node: 'atom-c2550',
      timeMs: trials[7]?.fromMs ?? ended.startedMs,
    },
    sentence: '265 +- 6 viewers, 2 repeats; bottleneck: CPU of the origin.',
  };
  const verdict = {
    verdict: 'pass',
    sentence: `Limit: ${limit.sentence}`,
    reasons: [],
    headroom: [limit.bottleneck?.sentence ?? ''],
  } as const;
  return { ...ended, run: { ...ended.run, limit, verdict } };
}
