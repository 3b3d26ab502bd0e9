import { existsSync, readFileSync } from 'node:fs';
import type { NodeSettings } from '../../domain/model/nodeSettings';
import { BackgroundFile } from '../base/backgroundFile';
import { nodesToYaml, parseNodes, PlanError } from '../../domain/plan/planYaml';

/** The nodes that the user added, saved as YAML in the form of a plan's `nodes`. It contains no secrets. */
export class FleetFile {
  private damaged = false;
  private readonly file: BackgroundFile | undefined;

  /** Without a path nothing is saved, as on the command line. */
  constructor(
    private readonly path: string | undefined,
    readonly problem: (sentence: string) => void,
  ) {
    if (path !== undefined)
      this.file = new BackgroundFile(path, (why) => problem(`The nodes could not be saved to ${path}: ${why}.`));
  }

  read(): Record<string, NodeSettings> {
    if (this.path === undefined || !existsSync(this.path)) return {};
    try {
      return parseNodes(readFileSync(this.path, 'utf8'));
    } catch (error) {
      this.damaged = true;
      const why = error instanceof PlanError ? error.message : (error as Error).message;
      this.problem(
        `The nodes saved in ${this.path} can't be read (${why}). The file is moved aside when you add a node.`,
      );
      return {};
    }
  }

  write(nodes: Readonly<Record<string, NodeSettings>>): void {
    this.file?.save(nodesToYaml(nodes), this.damaged ? `${this.path}.unreadable` : undefined);
    this.damaged = false;
  }

  /** Resolves when all changes are saved, or that has failed. */
  async whenSaved(): Promise<void> {
    await this.file?.whenSaved();
  }
}
