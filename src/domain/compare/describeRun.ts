import type { NodeView } from '../model/node';
import type { RunSummary, RunView } from '../model/run';
import { firstOrigin } from '../model/publisherGroup';
import { nodesInRole } from '../node/observedNodes';
import { planShape } from './planShape';

/** Fields of the runs list besides figures: search text, and the key that identifies repeats. */
export type RunDescription = Pick<
  RunSummary,
  'origin' | 'testers' | 'reason' | 'limit' | 'originSlot' | 'planName' | 'planShape' | 'setup'
>;

/** The origin that the run's first audience pulls from, or that its publishers alone publish to first. */
export function originOf(view: InRun): NodeView | undefined {
  const from = firstOrigin(view.plan);
  const origins = nodesInRole(view, 'origin');
  return origins.find(({ id, name }) => name === from || id === from) ?? origins[0];
}

/** The testers that generate the load of the run. */
export function testersOf(view: InRun): readonly NodeView[] {
  return nodesInRole(view, 'tester');
}

type InRun = Pick<RunView, 'nodes' | 'plan' | 'imported' | 'watched'>;

export function describeRun(view: RunView): RunDescription {
  const origin = originOf(view);
  const { limit } = view;
  const reason = view.verdict?.reasons[0]?.sentence;
  const setup = [origin?.software, origin?.gcSource].filter((text) => text !== undefined).join(', ');
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

/** Whether both put the same load on the same origin: then a baseline applies. */
export function isSameTest(a: RunSummary, b: RunSummary): boolean {
  return a.planShape !== undefined && a.planShape === b.planShape && a.origin !== '' && a.origin === b.origin;
}

/** Whether one repeats the other: the same plan by name and shape, origin, software and garbage collector. */
export function isRepeat(a: RunSummary, b: RunSummary): boolean {
  return isSameTest(a, b) && a.planName === b.planName && a.setup === b.setup;
}
