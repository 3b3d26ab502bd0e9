import type { CapacityTest } from '../../../domain/model/capacity';
import type { WindowClient } from '../../client/connection';

export interface SavedTest extends CapacityTest {
  /** When it was first seen, by this computer's clock. */
  readonly startedMs: number;
}

/** What iperf3 measured in this session, the newest first. Updates continue while its dialog is closed. */
class CapacityTests {
  list = $state.raw<readonly SavedTest[]>([]);

  constructor(engine: WindowClient) {
    engine.on('capacity', (test) => this.#take(test));
  }

  get running(): SavedTest | undefined {
    return this.list.find(({ state }) => state === 'running');
  }

  #take(test: CapacityTest): void {
    const known = this.list.find(({ id }) => id === test.id);
    const kept = { ...test, startedMs: known?.startedMs ?? Date.now() };
    this.list = known ? this.list.map((each) => (each === known ? kept : each)) : [kept, ...this.list];
  }
}

const ofEngine = new WeakMap<WindowClient, CapacityTests>();

/** The tests of an engine: shared by all its dialogs. */
export function capacityTestsOf(engine: WindowClient): CapacityTests {
  const known = ofEngine.get(engine) ?? new CapacityTests(engine);
  ofEngine.set(engine, known);
  return known;
}
