import type { Plan } from '../../domain/plan/plan';
import type { ScheduleView } from '../../domain/plan/schedule';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../clock';
import { Emitter } from '../emitter';
import type { Conductor } from '../runs/conductor';

export interface SchedulesParts {
  readonly clock: Clock;
  readonly conductor: Pick<Conductor, 'start' | 'underWay' | 'idle' | 'requireAllowed'>;
  readonly problem: (sentence: string) => void;
}

interface Scheduled {
  view: ScheduleView;
  readonly plan: Plan;
  /** Until its next run: the first begins at a time of day, which is the system clock's; the others so long after the one before. */
  leftMs: () => number;
  cancel: () => void;
}

/** How often a wait looks at the clock, which may be set meanwhile. */
const lookEveryMs = 30_000;
/** Plans that wait at once: more would be somebody's mistake. */
const mostSchedules = 20;

/** Plans that begin by themselves, once or again and again, one run at a time. They live as long as the engine does. */
export class Schedules {
  readonly changed = new Emitter<readonly ScheduleView[]>();
  private readonly all = new Map<string, Scheduled>();
  private lastId = 0;
  private isClosed = false;

  constructor(private readonly parts: SchedulesParts) {}

  list(): readonly ScheduleView[] {
    return [...this.all.values()].map(({ view }) => view);
  }

  /** Throws a sentence when the plan can't be scheduled. */
  add(plan: Plan, allowHooks: boolean): ScheduleView {
    const { schedule } = plan;
    if (!schedule)
      throw new FullhouseError('no-schedule', 'This plan says neither when nor how often it begins.');
    if (this.all.size >= mostSchedules)
      throw new FullhouseError(
        'too-many-schedules',
        `${mostSchedules} plans wait already; take one of them back first.`,
      );
    this.parts.conductor.requireAllowed(plan, allowHooks);
    const id = `schedule-${(this.lastId += 1)}`;
    const { clock } = this.parts;
    const nextMs = Math.max(schedule.atMs ?? 0, clock.wall());
    const view: ScheduleView = {
      id,
      name: plan.name,
      runs: schedule.repeat ?? 1,
      done: 0,
      state: 'waiting',
      nextMs,
    };
    const scheduled: Scheduled = {
      ...{ view, plan, cancel: () => undefined },
      leftMs: () => nextMs - clock.wall(),
    };
    this.all.set(id, scheduled);
    this.tell();
    this.wait(scheduled, allowHooks);
    return view;
  }

  /** The run under way, if it is one of this schedule's, goes on; no further one begins. */
  remove(id: string): void {
    const scheduled = this.all.get(id);
    if (!scheduled)
      throw new FullhouseError('no-schedule', 'This schedule has ended or was taken back already.');
    scheduled.cancel();
    this.all.delete(id);
    this.tell();
  }

  close(): void {
    this.isClosed = true;
    for (const { cancel } of this.all.values()) cancel();
    this.all.clear();
  }

  private wait(scheduled: Scheduled, allowHooks: boolean): void {
    const { clock } = this.parts;
    const waitMs = Math.max(0, Math.min(scheduled.leftMs(), lookEveryMs));
    scheduled.cancel = clock.after(waitMs, () => {
      if (scheduled.leftMs() > 0) this.wait(scheduled, allowHooks);
      else void this.begin(scheduled, allowHooks);
    });
  }

  private async begin(scheduled: Scheduled, allowHooks: boolean): Promise<void> {
    const { clock, conductor, problem } = this.parts;
    const isOff = (): boolean => this.isClosed || !this.all.has(scheduled.view.id);
    // Two runs at once would each be the other's noise: whoever is due waits for the one under way.
    while (conductor.underWay) {
      await conductor.idle();
      if (isOff()) return;
    }
    const { runs, done } = scheduled.view;
    const startedMs = clock.now();
    const { schedule, ...once } = scheduled.plan;
    const name = runs > 1 ? `${once.name} (${done + 1} of ${runs})` : once.name;
    try {
      const run = conductor.start({ ...once, name }, { allowHooks });
      this.set(scheduled, { state: 'running', lastRun: run, nextMs: undefined });
      await conductor.idle();
    } catch (error) {
      problem(`${name}: the scheduled run could not begin: ${(error as Error).message}`);
    }
    if (isOff()) return;
    if (done + 1 >= runs) {
      this.all.delete(scheduled.view.id);
      this.tell();
      return;
    }
    const nextMs = Math.max(clock.now(), startedMs + (schedule?.everyMs ?? 0));
    scheduled.leftMs = () => nextMs - clock.now();
    this.set(scheduled, { state: 'waiting', done: done + 1, nextMs: clock.wall() + scheduled.leftMs() });
    this.wait(scheduled, allowHooks);
  }

  private set(scheduled: Scheduled, change: Partial<ScheduleView>): void {
    scheduled.view = { ...scheduled.view, ...change };
    this.tell();
  }

  private tell(): void {
    this.changed.emit(this.list());
  }
}
