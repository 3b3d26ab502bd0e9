import { clientsOf } from '../../domain/model/publisherGroup';
import { phaseOf, type ViewerPhase } from './pullSteps';
import type { RunData } from './runData';
import { phaseSentence } from './sentences';

/** The current phase of a run with viewers, or publishers alone, and its sentence for the log. */
export function phaseNow(data: RunData): { readonly name: ViewerPhase; readonly sentence: string } {
  const { pulls, published } = data;
  const controlled = [...pulls.controlled, ...published.controlledList].map(({ phase }) => phase);
  const name = phaseOf([...pulls.seen(), ...published.seen()], controlled);
  return {
    name,
    sentence: phaseSentence(
      name,
      { ...counts(data), present: pulls.present() + published.present() },
      clientsOf(data.plan),
    ),
  };
}

/** Directed audiences are described by their latest target: the figures lag behind a phase that is just starting. */
function counts({ pulls, published, headline }: RunData): { readonly requested: number; readonly connected: number } {
  const controlled = [...pulls.controlled, ...published.controlledList];
  if (controlled.length === 0) return headline.figures;
  const plain = pulls.list.filter((pull) => !pull.isControlled);
  const targetViewers = controlled.reduce((sum, audience) => sum + audience.targetNow, 0);
  const requested = plain.reduce((sum, pull) => sum + pull.plan.viewers, targetViewers);
  return { requested, connected: requested };
}
