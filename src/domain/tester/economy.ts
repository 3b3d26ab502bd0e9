import { audiencesOf } from '../model/distribution';
import { thisMachine } from '../model/host';
import type { RunView } from '../model/run';

/** When the window draws less, so that a measurement has the machine: by itself, always or never. */
export const economyChoices = ['automatic', 'always', 'never'] as const;
export type EconomyChoice = (typeof economyChoices)[number];

/** Whether a run that has not ended has viewers on the machine of this window. */
function measuresHere(run: Pick<RunView, 'state' | 'plan' | 'nodes'>): boolean {
  if (run.state === 'ended') return false;
  const testers = new Set(audiencesOf(run.plan).flatMap(({ by }) => by));
  return run.nodes.some(({ id, name, host }) => host === thisMachine && (testers.has(id) || testers.has(name)));
}

export const isEconomical = (
  choice: EconomyChoice,
  run: Pick<RunView, 'state' | 'plan' | 'nodes'> | undefined,
): boolean => choice === 'always' || (choice === 'automatic' && run !== undefined && measuresHere(run));
