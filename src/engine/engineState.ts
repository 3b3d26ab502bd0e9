import { defaultExpectations } from '../domain/model/plan';
import type { JobView } from '../domain/model/run';
import type { EngineEvents } from '../contract/engine';
import { thisMachine } from './fleet/node';
import type { EngineParts } from './parts';

/** The nodes and jobs as the window shows them. */
export class EngineState {
  constructor(private readonly parts: EngineParts) {}

  nodes(): EngineEvents['nodes'] {
    const { fleet, own, hostLoads, capacity, measurements } = this.parts;
    return fleet.nodes.map((node) => {
      const view = node.view();
      const machine = view.machine ?? (node.role === 'tester' && node.host === thisMachine ? own : undefined);
      const load = hostLoads.before(view, defaultExpectations.cpu?.value);
      return {
        ...{ ...view, machine, capacity: capacity.of(node.id) },
        ...(node.role === 'tester' ? { measured: measurements.of(machine) } : {}),
        ...(load && load.state !== 'quiet' ? { load } : {}),
      };
    });
  }

  jobs(): JobView[] {
    const { runManager, publications } = this.parts;
    return [...runManager.jobs(), ...publications.jobs((node) => runManager.nameOf(node))];
  }
}
