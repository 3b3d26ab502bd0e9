import type { ImportedRun } from '../../contract/snapshotCalls';

/** Actions for a file dropped on the window. */
export interface DropActions {
  /** Shows the nodes, since they change. */
  readonly showNodes: () => void;
  readonly importNodes: (file: File) => Promise<unknown>;
  readonly importRun: (file: File) => Promise<ImportedRun | undefined>;
  readonly showImported: (run: ImportedRun) => Promise<void>;
  /** The plan's text. */
  readonly openPlan: (yaml: string) => void;
  readonly publish: (video: File) => void;
  readonly problem: (sentence: string) => void;
}

/**
 * Handles a file by its name: a list of nodes is added, a plan or run is opened, a video is offered for publishing,
 * anything else is refused with a sentence.
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
  if (isVideoFile(file)) {
    places.publish(file);
    return;
  }
  if (!file.name.endsWith('.fullhouse')) {
    places.problem(
      `"${file.name}" is not a run, plan, list of nodes or video. Drop a .fullhouse, .yaml or video file.`,
    );
    return;
  }
  const run = await places.importRun(file);
  if (run) await places.showImported(run);
}

/** Whether a file is a video, by the type that the system knows or by its name. */
const isVideoFile = ({ type, name }: Pick<File, 'type' | 'name'>): boolean =>
  type.startsWith('video/') || /\.(mp4|m4v|mov|webm|mkv)$/i.test(name);
