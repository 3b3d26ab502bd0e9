import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NodeSettings } from '../../domain/model/nodeSettings';
import { nodesToYaml, parseNodes, PlanError } from '../../domain/plan/planYaml';

/** The nodes that the user added, saved as YAML in the form of a plan's `nodes`. It contains no secrets. */
export class FleetFile {
  private damaged = false;

  /** Without a path nothing is saved, as on the command line. */
  constructor(
    private readonly path: string | undefined,
    readonly problem: (sentence: string) => void,
  ) {}

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
    const { path } = this;
    if (path === undefined) return;
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (this.damaged) renameSync(path, `${path}.unreadable`);
      this.damaged = false;
      // Atomic: a truncated file would lose the fleet.
      writeFileSync(`${path}.new`, nodesToYaml(nodes), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      this.problem(`The nodes could not be saved to ${path}: ${(error as Error).message}.`);
    }
  }
}
