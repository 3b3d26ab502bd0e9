import type { RunEvent, RunView } from '../../../domain/model/run';
import type { WindowClient } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';

/** A displayed run whose events include its notes. */
export interface NotedRun {
  readonly run: Pick<RunView, 'id' | 'startedMs'>;
  addEvent(event: RunEvent): void;
  replaceEvent(event: RunEvent): void;
  dropEvent(id: number): void;
}

/** Notes in the displayed run; in a saved run they are stored beside the recorded data. */
export class Notes {
  constructor(
    private readonly engine: WindowClient,
    private readonly notices: Notices,
    private readonly displayed: () => NotedRun | undefined,
  ) {}

  /** `author` of a note in a saved run; default: you. */
  async add(text: string, sinceStartMs: number, author: string | undefined): Promise<void> {
    const record = this.displayed();
    if (!record) return;
    const timeMs = Math.round(record.run.startedMs + sinceStartMs);
    const event = await this.notices.attempt(() =>
      this.engine.call('runs.note', { run: record.run.id, text, timeMs, author }),
    );
    if (event) record.addEvent(event);
  }

  async edit({ annotation }: RunEvent, text: string): Promise<void> {
    const record = this.displayed();
    if (!record || !annotation) return;
    const { uid } = annotation;
    const event = await this.notices.attempt(() => this.engine.call('notes.edit', { run: record.run.id, uid, text }));
    if (event) record.replaceEvent(event);
  }

  async remove(event: RunEvent): Promise<void> {
    const record = this.displayed();
    if (!record || !event.annotation) return;
    const { uid } = event.annotation;
    const removed = await this.notices.attempt(() => this.engine.call('notes.remove', { run: record.run.id, uid }));
    if (!removed) return;
    record.dropEvent(event.id);
    this.notices.done('Note removed.', {
      text: 'Undo',
      run: () => {
        // Another run may be displayed by now.
        if (this.displayed() === record) void this.edit(event, event.sentence);
      },
    });
  }
}
