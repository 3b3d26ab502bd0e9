import { readTree } from './localProcesses';

/** A process that starts meanwhile counts from the next reading of the trees on. */
const refreshMs = 2000;

/**
 * The processes of the test and of this console on its own machine, with all programs that they started: encoders of an
 * agent, workers of a server, and the console's window, readers and browsers. None of them is another program.
 */
export class LocalTrees {
  private readMs = -Infinity;
  private roots = '';
  private trees: { readonly ours?: readonly number[]; readonly console?: readonly number[] } = {};

  constructor(
    private readonly now: () => number,
    /** Processes of the test; undefined where they can't be distinguished from other programs. */
    private readonly ours: () => readonly number[] | undefined,
    private readonly consoleRoot: number,
    private readonly onConsole?: (pids: readonly number[]) => void,
  ) {}

  get(): { readonly ours?: readonly number[]; readonly console?: readonly number[] } {
    const ours = this.ours();
    const roots = ours?.join(' ') ?? '';
    if (this.now() - this.readMs < refreshMs && roots === this.roots) return ours ? this.trees : {};
    this.readMs = this.now();
    this.roots = roots;
    // Agents are the engine's children, but not the console.
    const console = readTree([this.consoleRoot], new Set(ours));
    this.trees = { ours: readTree(ours ?? []), console };
    this.onConsole?.(console);
    return ours ? this.trees : {};
  }
}
