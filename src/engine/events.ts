import type { EngineEventName, EngineEvents } from '../contract/engine';
import type { Clock } from './base/clock';
import { Emitter } from './base/emitter';
import { batchOf, type LiveSample } from './base/samples';
import { CostMeter } from './fleet/costMeter';
import type { EngineState } from './engineState';
import type { EngineParts } from './parts';

type EventEmitters = { [E in EngineEventName]: Emitter<EngineEvents[E]> };
/** Events that come from the parts as they are; the others are gathered here. */
type Passed = Pick<EventEmitters, 'prometheusImport' | 'metrics'>;

/** How long changes are collected before they are sent, so that a burst becomes one message. */
const gatherMs = { samples: 100, state: 500 } as const;

/** The engine's events, gathered from its parts. */
export class Events {
  readonly emitters: EventEmitters;
  private readonly costs = new CostMeter();
  private waiting: LiveSample[] = [];
  private readonly sendSamples: () => void;
  /** Nodes, jobs or the run have changed. */
  readonly sendState: () => void;

  constructor(
    private readonly parts: EngineParts,
    private readonly state: EngineState,
    passed: Passed,
  ) {
    const { incidents, runManager, schedules, publications, capacity, hostLoads, fleet, probes, preflights, secrets } =
      parts;
    const { playerConnections, clock } = parts;
    this.emitters = {
      samples: new Emitter(),
      nodes: new Emitter(),
      jobs: new Emitter(),
      run: new Emitter(),
      event: runManager.event,
      still: runManager.still,
      sessionEnded: publications.sessions.ended,
      playerData: playerConnections.data,
      playerClosed: playerConnections.closed,
      runsChanged: new Emitter(),
      schedules: new Emitter(),
      incidents: incidents.changed,
      alertProblem: incidents.problem,
      watchProblem: parts.watching?.problem ?? new Emitter(),
      delays: parts.delayTests.changed,
      probe: probes.view,
      capacity: capacity.progress,
      preflight: preflights.news,
      keepSecrets: secrets.keep,
      keepNamedSecrets: secrets.keepNamed,
      ...passed,
    };
    this.sendSamples = gathered(clock, gatherMs.samples, () => {
      const batch = batchOf(this.waiting);
      this.waiting = [];
      this.emitters.samples.emit(batch);
    });
    this.sendState = gathered(clock, gatherMs.state, () => {
      this.emitters.nodes.emit(this.state.nodes());
      this.emitters.jobs.emit(this.state.jobs());
      this.emitters.run.emit(runManager.view());
    });
    runManager.samples.on((samples) => this.takeSamples(samples));
    runManager.changed.on(this.sendState);
    runManager.changed.on(() => {
      // The self-test must not be load during a run.
      if (runManager.activeRun) parts.measurements.close();
    });
    runManager.runsChanged.on(() => {
      this.takeCosts();
      this.emitters.run.emit(runManager.view());
      this.emitters.runsChanged.emit({});
    });
    schedules.changed.on((all) => this.emitters.schedules.emit([...all]));
    for (const source of [publications.changed, capacity.progress, hostLoads.changed]) source.on(this.sendState);
    fleet.changes.on(({ node, change }) => {
      if (change.kind === 'host') hostLoads.take(node.host, change.timeMs, change.values);
      if (change.kind === 'state' && (change.state === 'idle' || change.state === 'failed')) {
        publications.forget(node);
        playerConnections.forget(node);
      }
      if (change.kind !== 'pulls') this.sendState();
    });
  }

  readonly runsChanged = (): void => this.emitters.runsChanged.emit({});

  private takeSamples(samples: readonly LiveSample[]): void {
    this.waiting.push(...samples);
    const run = this.parts.runManager.view();
    if (run && run.state !== 'ended') this.costs.take(run, samples);
    this.sendSamples();
  }

  /** What the viewers of an ended run have cost its testers. */
  private takeCosts(): void {
    const run = this.parts.runManager.view();
    if (run?.state !== 'ended') return;
    for (const { node, cost } of this.costs.costs(run)) {
      const machine = run.nodes.find(({ id }) => id === node)?.machine;
      if (machine) this.parts.measurements.take(machine, cost);
    }
  }
}

/** Calls `run` once, `ms` after the first of several requests. */
function gathered(clock: Clock, ms: number, run: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    clock.after(ms, () => {
      waiting = false;
      run();
    });
  };
}
