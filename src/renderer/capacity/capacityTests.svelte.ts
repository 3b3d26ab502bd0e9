import type { CapacityTest } from '../../domain/capacity';
import type { Engine } from '../state/connection';

export interface KeptTest extends CapacityTest {
  /** When it was first heard of, by this computer's clock. */
  readonly startedMs: number;
}

/** What iperf3 measured in this session, the newest first. It goes on listening while its dialog is closed. */
export class CapacityTests {
  list = $state.raw<readonly KeptTest[]>([]);

  constructor(engine: Engine) {
    engine.on('capacity', (test) => this.#take(test));
  }

  get running(): KeptTest | undefined {
    return this.list.find(({ state }) => state === 'running');
  }

  #take(test: CapacityTest): void {
    const known = this.list.find(({ id }) => id === test.id);
    const kept = { ...test, startedMs: known?.startedMs ?? Date.now() };
    this.list = known ? this.list.map((each) => (each === known ? kept : each)) : [kept, ...this.list];
  }
}

const ofEngine = new WeakMap<Engine, CapacityTests>();

/** The tests of an engine: the same for every dialog that is opened on it. */
export function capacityTestsOf(engine: Engine): CapacityTests {
  const known = ofEngine.get(engine) ?? new CapacityTests(engine);
  ofEngine.set(engine, known);
  return known;
}
