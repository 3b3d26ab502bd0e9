import type { NodeView } from '../node';
import type { RunSummary, RunView } from '../run';
import { nodesInRole } from '../watched';
import { planShape } from './planShape';

/** What a row of the runs list says beyond figures: what a search looks through, and what tells repeats from other runs. */
export type RunDescription = Pick<
  RunSummary,
  'origin' | 'testers' | 'reason' | 'limit' | 'originSlot' | 'planName' | 'planShape' | 'setup'
>;

/** The origin that the run's first audience pulls from. */
export function originOf(view: InRun): NodeView | undefined {
  const { from } = view.plan.pull;
  const origins = nodesInRole(view, 'origin');
  return origins.find(({ id, name }) => name === from || id === from) ?? origins[0];
}

/** The testers that pull in the run. */
export function testersOf(view: InRun): readonly NodeView[] {
  return nodesInRole(view, 'tester');
}

type InRun = Pick<RunView, 'nodes' | 'plan' | 'imported'>;

export function describeRun(view: RunView): RunDescription {
  const origin = originOf(view);
  const { limit } = view;
  const reason = view.verdict?.reasons[0]?.sentence;
  const setup = [origin?.software, origin?.gcSource].filter((each) => each !== undefined).join(', ');
  return {
    origin: nodesInRole(view, 'origin')
      .map((node) => node.name)
      .join(', '),
    testers: testersOf(view).map((node) => node.name),
    ...(reason === undefined ? {} : { reason }),
    ...(limit === undefined ? {} : { limit }),
    ...(origin ? { originSlot: origin.colourSlot } : {}),
    planName: view.plan.name,
    planShape: planShape(view.plan),
    setup,
  };
}

/** Whether one asks the same of the same origin as the other: then a baseline speaks for it. */
export function isSameTest(a: RunSummary, b: RunSummary): boolean {
  return a.planShape !== undefined && a.planShape === b.planShape && a.origin !== '' && a.origin === b.origin;
}

/** Whether one is the other made again: the same plan by name and shape, origin, software and garbage collector. */
export function isRepeat(a: RunSummary, b: RunSummary): boolean {
  return isSameTest(a, b) && a.planName === b.planName && a.setup === b.setup;
}
