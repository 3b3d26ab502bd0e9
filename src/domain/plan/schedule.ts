/** A plan that starts automatically while the console runs. */
export interface ScheduleView {
  readonly id: string;
  readonly name: string;
  /** Runs in total, and completed ones. */
  readonly runs: number;
  readonly done: number;
  readonly state: 'waiting' | 'running';
  /** Start of the next one, Unix ms; absent while one is active. */
  readonly nextMs?: number;
  /** The run that started last. */
  readonly lastRun?: string;
}
