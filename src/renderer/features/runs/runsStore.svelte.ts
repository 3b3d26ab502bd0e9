import type { RunSummary } from '../../../domain/model/run';
import type { Engine } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';
import { RunsList } from './runsList.svelte';
import { RunsScreen } from './runsScreen.svelte';

/** The saved runs and the state of their view. */
export class RunsStore {
  readonly saved: RunsList;
  readonly screen: RunsScreen;

  constructor(
    engine: Engine,
    private readonly notices: Notices,
  ) {
    this.saved = new RunsList(engine, (error) => notices.problem(error));
    this.screen = new RunsScreen(engine);
  }

  /** Deletes runs and offers to undo it; returns the deleted ones. */
  async delete(runs: readonly RunSummary[]): Promise<readonly RunSummary[]> {
    const gone: RunSummary[] = [];
    for (const run of runs) if (await this.saved.delete(run.id)) gone.push(run);
    const [first] = gone;
    if (!first) return [];
    const undo = async (): Promise<void> => {
      for (const { id } of gone) await this.saved.undelete(id);
    };
    const what = gone.length === 1 ? `"${first.name}"` : `${gone.length} runs`;
    this.notices.done(`Deleted ${what}.`, { text: 'Undo', run: () => void undo() });
    return gone;
  }
}
