import { figure, type Figure } from '../../ui/format/numbers';

/** Chromium reports whole milliseconds. */
export const rttFigure = (rttMs: number | undefined): Figure =>
  rttMs === 0 ? { text: '< 1', unit: 'ms' } : figure(rttMs, 'ms', 1);
