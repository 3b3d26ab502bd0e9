import type { RunSummary } from '../../domain/model/run';

/** Actions for a file dropped on the window. */
export interface DropActions {
  /** Shows the nodes, since they change. */
  readonly showNodes: () => void;
  readonly importNodes: (file: File) => Promise<unknown>;
  readonly importRun: (file: File) => Promise<RunSummary | undefined>;
  readonly openRun: (run: string) => Promise<void>;
  /** The plan's text. */
  readonly openPlan: (yaml: string) => void;
  readonly problem: (sentence: string) => void;
}

/**
 * Handles a file by its name: a list of nodes is added, a plan or run is opened, anything else is refused with a
 * sentence.
 */
export async function handleDroppedFile(file: File, places: DropActions): Promise<void> {
  if (/\.ya?ml$/i.test(file.name)) {
    const text = await file.text();
    // Both have nodes; only a plan has a pull.
    if (/^pull:/m.test(text)) {
      places.openPlan(text);
      return;
    }
    places.showNodes();
    await places.importNodes(file);
    return;
  }
  if (!file.name.endsWith('.fullhouse')) {
    places.problem(`"${file.name}" is not a run, plan or list of nodes. Drop a .fullhouse or .yaml file.`);
    return;
  }
  const run = await places.importRun(file);
  if (run) await places.openRun(run.id);
}
