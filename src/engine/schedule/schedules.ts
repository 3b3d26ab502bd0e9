import type { Plan } from '../../domain/model/plan';
import type { ScheduleView } from '../../domain/plan/schedule';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import type { Permission, PlanGate } from '../consent/planGate';
import type { RunManager } from '../runs/runManager';

export interface SchedulesParts {
  readonly clock: Clock;
  readonly gate: Pick<PlanGate, 'allow'>;
  readonly runManager: Pick<RunManager, 'start' | 'activeRun' | 'idle'>;
  readonly problem: (sentence: string) => void;
}

interface Scheduled {
  view: ScheduleView;
  readonly plan: Plan;
  /** What the person allowed when it was scheduled; each of its runs is checked again. */
  readonly permission: Permission;
  /**
   * Time until its next run. The first starts at a time of day, by the system clock; the others a fixed time after the
   * previous one.
   */
  leftMs: () => number;
  cancel: () => void;
}

/** How often the clock is checked while waiting; it may be set meanwhile. */
const checkEveryMs = 30_000;
/** Maximum of waiting plans: more would be a mistake. */
const maxSchedules = 20;

/** Plans that start automatically, once or repeatedly, one run at a time. They last as long as the engine. */
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
  add(plan: Plan, permission: Permission): ScheduleView {
    const { schedule } = plan;
    if (!schedule) throw new FullhouseError('no-schedule', 'This plan contains neither a start time nor a repetition.');
    if (this.all.size >= maxSchedules)
      throw new FullhouseError(
        'too-many-schedules',
        `${maxSchedules} plans are waiting already; cancel one of them first.`,
      );
    const texts = this.parts.gate.allow(plan, permission).texts;
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
      ...{ view, plan, permission: { ...permission, items: texts }, cancel: () => undefined },
      leftMs: () => nextMs - clock.wall(),
    };
    this.all.set(id, scheduled);
    this.emitChange();
    this.wait(scheduled);
    return view;
  }

  /** An active run of this schedule continues; no further one starts. */
  remove(id: string): void {
    const scheduled = this.all.get(id);
    if (!scheduled) throw new FullhouseError('no-schedule', 'This schedule has ended or was cancelled already.');
    scheduled.cancel();
    this.all.delete(id);
    this.emitChange();
  }

  close(): void {
    this.isClosed = true;
    for (const { cancel } of this.all.values()) cancel();
    this.all.clear();
  }

  private wait(scheduled: Scheduled): void {
    const { clock } = this.parts;
    const waitMs = Math.max(0, Math.min(scheduled.leftMs(), checkEveryMs));
    scheduled.cancel = clock.after(waitMs, () => {
      if (scheduled.leftMs() > 0) this.wait(scheduled);
      else void this.begin(scheduled);
    });
  }

  private async begin(scheduled: Scheduled): Promise<void> {
    const { clock, gate, runManager, problem } = this.parts;
    const isOff = (): boolean => this.isClosed || !this.all.has(scheduled.view.id);
    // Two runs at once would disturb each other: a due run waits for the active one.
    while (runManager.activeRun) {
      await runManager.idle();
      if (isOff()) return;
    }
    const { runs, done } = scheduled.view;
    const startedMs = clock.now();
    const { schedule, ...once } = scheduled.plan;
    const name = runs > 1 ? `${once.name} (${done + 1} of ${runs})` : once.name;
    try {
      const run = await runManager.start(gate.allow({ ...once, name }, scheduled.permission));
      this.set(scheduled, { state: 'running', lastRun: run, nextMs: undefined });
      await runManager.idle();
    } catch (error) {
      problem(`${name}: the scheduled run could not start: ${(error as Error).message}`);
    }
    if (isOff()) return;
    if (done + 1 >= runs) {
      this.all.delete(scheduled.view.id);
      this.emitChange();
      return;
    }
    const nextMs = Math.max(clock.now(), startedMs + (schedule?.everyMs ?? 0));
    scheduled.leftMs = () => nextMs - clock.now();
    this.set(scheduled, { state: 'waiting', done: done + 1, nextMs: clock.wall() + scheduled.leftMs() });
    this.wait(scheduled);
  }

  private set(scheduled: Scheduled, change: Partial<ScheduleView>): void {
    scheduled.view = { ...scheduled.view, ...change };
    this.emitChange();
  }

  private emitChange(): void {
    this.changed.emit(this.list());
  }
}
