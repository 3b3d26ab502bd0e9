import { defaultLayout, type ChartLayout } from '../../domain/model/chartLayout';
import type { Engine } from '../client/connection';
import type { Preferences } from '../parts/preferences.svelte';
import type { Notices } from '../ui/notices/notices.svelte';

/** Sends the chart layout of the active run to the engine: its file and report follow the displayed charts. */
export class LayoutSync {
  /** The active run and the layout last sent to it. */
  #sent: { readonly run: string; readonly layout: ChartLayout } | undefined;

  constructor(
    private readonly engine: Engine,
    private readonly preferences: Preferences,
    private readonly notices: Notices,
  ) {}

  send(run: string): void {
    const { layouts } = this.preferences;
    const known = this.#sent?.run === run ? this.#sent.layout : defaultLayout;
    if (known === layouts.current) return;
    this.#sent = { run, layout: layouts.current };
    void this.notices.attempt(() => this.engine.call('runs.setLayout', { run, layout: layouts.inUse }));
  }
}
