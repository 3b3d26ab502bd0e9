import type { RunSummary } from '../../domain/run';

/** What a file can become that is dropped on the window. */
export interface DropPlaces {
  /** The nodes come into view, since they are what changes. */
  readonly showNodes: () => void;
  readonly importNodes: (file: File) => Promise<unknown>;
  readonly importRun: (file: File) => Promise<RunSummary | undefined>;
  readonly openRun: (run: string) => Promise<void>;
  /** The plan as it is written. */
  readonly openPlan: (yaml: string) => void;
  readonly problem: (sentence: string) => void;
}

/** Takes a file by its name: a list of nodes is added, a plan or a run is opened, anything else is refused in a sentence. */
export async function takeDropped(file: File, places: DropPlaces): Promise<void> {
  if (/\.ya?ml$/i.test(file.name)) {
    const text = await file.text();
    // Both have nodes; only a plan says what is pulled.
    if (/^pull:/m.test(text)) {
      places.openPlan(text);
      return;
    }
    places.showNodes();
    await places.importNodes(file);
    return;
  }
  if (!file.name.endsWith('.fullhouse')) {
    places.problem(
      `"${file.name}" is neither a run nor a plan nor a list of nodes; drop a file that ends in .fullhouse or .yaml.`,
    );
    return;
  }
  const run = await places.importRun(file);
  if (run) await places.openRun(run.id);
}
