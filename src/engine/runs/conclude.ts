import type { RunView, Verdict } from '../../domain/run';

export interface ConcludeInput {
  readonly view: RunView;
  readonly failure?: string;
  readonly stoppedByPerson: boolean;
}

export function conclude({ view, failure, stoppedByPerson }: ConcludeInput): Verdict {
  if (failure) return { verdict: 'inconclusive', sentence: failure, reasons: [], room: [] };
  if (stoppedByPerson) return { verdict: 'stopped', sentence: 'Stopped', reasons: [], room: [] };
  return {
    verdict: view.figures.connectedPeak === view.figures.requested ? 'pass' : 'fail',
    sentence: 'interim',
    reasons: [],
    room: [],
  };
}
