import type { RunSummary } from '../../domain/run';

type PillTone = 'neutral' | 'accent' | 'ok' | 'warning' | 'failure';

const tones: Readonly<Record<RunSummary['verdict'], PillTone>> = {
  pass: 'ok',
  fail: 'failure',
  inconclusive: 'warning',
  stopped: 'neutral',
  interrupted: 'neutral',
  running: 'accent',
  damaged: 'failure',
};

/** The tone of a verdict's pill; the word is always beside it. */
export function verdictTone(verdict: RunSummary['verdict']): PillTone {
  return tones[verdict];
}
