import type { SourceState } from '../../domain/charts/layout/noSource';

/** The first reading of a host, also by a Prometheus with a long scrape interval. */
const hostsMs = 30_000;
/** Samples of testers are a second apart; some figures need two of them. */
const viewersMs = 5000;

/** Whether the sources of live charts have had time to report: until then, charts without data wait. */
export class ReportTime {
  starting: SourceState['starting'] = $state.raw();
  #timers: Partial<Record<'hosts' | 'viewers', ReturnType<typeof setTimeout>>> = {};

  /** Call at each change. `hasConnected`: a viewer has connected. */
  update(isLive: boolean, hasConnected: boolean): void {
    if (!isLive) return this.end();
    this.#begin('hosts', hostsMs);
    if (hasConnected) this.#begin('viewers', viewersMs);
  }

  end(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = {};
    this.starting = undefined;
  }

  #begin(of: 'hosts' | 'viewers', ms: number): void {
    if (this.#timers[of] !== undefined) return;
    this.#set(of, true);
    this.#timers[of] = setTimeout(() => this.#set(of, false), ms);
  }

  #set(of: 'hosts' | 'viewers', is: boolean): void {
    this.starting = { hosts: false, viewers: false, ...this.starting, [of]: is };
  }
}
