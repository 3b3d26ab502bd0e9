import type { RunSummary } from '../../../domain/model/run';

type PillTone = 'neutral' | 'accent' | 'ok' | 'warning' | 'failure';

const tones: Readonly<Record<RunSummary['verdict'], PillTone>> = {
  pass: 'ok',
  fail: 'failure',
  inconclusive: 'warning',
  stopped: 'neutral',
  interrupted: 'neutral',
  'not-started': 'neutral',
  running: 'accent',
  damaged: 'failure',
};

/** Colour of a verdict's pill; never without its text. */
export function verdictTone(verdict: RunSummary['verdict']): PillTone {
  return tones[verdict];
}
