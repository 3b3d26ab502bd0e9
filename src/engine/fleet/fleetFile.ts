import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NodeSettings } from '../../domain/nodeSettings';
import { nodesToYaml, parseNodes, PlanError } from '../../domain/plan/planYaml';

/** The nodes that a person added, kept between starts as YAML in the form of a plan's `nodes`. It holds no secret. */
export class FleetFile {
  private damaged = false;

  /** Without a path nothing is kept, as on the command line. */
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
        `The nodes kept in ${this.path} can't be read (${why}). The file is put aside when you add a node.`,
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
      // Complete or not at all: a cut file would lose the fleet.
      writeFileSync(`${path}.new`, nodesToYaml(nodes), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      this.problem(`The nodes could not be kept in ${path}: ${(error as Error).message}.`);
    }
  }
}
