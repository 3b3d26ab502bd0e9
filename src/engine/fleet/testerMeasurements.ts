import { existsSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { z } from 'zod';
import type { MachineFingerprint } from '../../domain/model/node';
import { machineKey } from '../../domain/tester/viewerLimit';
import { testerMeasured, type TesterMeasured, type ViewerCost } from '../../domain/model/testerMeasured';
import { BackgroundFile } from '../base/backgroundFile';
import type { Clock } from '../base/clock';
import { startProgram, type ChildProcess } from '../base/program';
import { selfTestArguments, selfTestOf } from './selfTest';

const storedMeasurements = z.record(z.string(), testerMeasured);

/** The program takes a while; one that hangs is killed. */
const maxSelfTestMs = 15_000;
/** A measurement with far fewer viewers than the saved one is less accurate. */
const minShareKept = 0.5;

export interface TesterMeasurementsOptions {
  /** JSON; absent: nothing is saved. */
  readonly path: string | undefined;
  /** The agent's binary for this machine. */
  readonly binary: string;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly problem: (sentence: string) => void;
}

/** Measured cost of viewers by machine, saved between starts. */
export class TesterMeasurements {
  private readonly byMachine: Map<string, TesterMeasured>;
  private testing: ChildProcess | undefined;
  private isTested = false;
  private readonly file: BackgroundFile | undefined;

  constructor(private readonly options: TesterMeasurementsOptions) {
    this.byMachine = new Map(Object.entries(this.read()));
    const { path, problem } = options;
    if (path !== undefined)
      this.file = new BackgroundFile(path, (why) =>
        problem(`Tester measurements could not be saved to ${path}: ${why}.`),
      );
  }

  of(machine: MachineFingerprint | undefined): TesterMeasured | undefined {
    return machine && this.byMachine.get(machineKey(machine));
  }

  take(machine: MachineFingerprint, cost: ViewerCost): void {
    const known = this.of(machine);
    const same = known?.costs.find(({ protocol }) => protocol === cost.protocol);
    if (same && cost.viewers < minShareKept * same.viewers) return;
    this.keep(machine, {
      ...known,
      costs: [...(known?.costs.filter((cost) => cost !== same) ?? []), cost],
    });
  }

  /**
   * Runs the agent's two-second self-test of this machine, unless done already. Calls `done` when there is a result.
   */
  testThisMachine(machine: MachineFingerprint, done: () => void): void {
    const { binary, clock, problem } = this.options;
    if (this.isTested || this.testing || this.of(machine)?.selfTest || !existsSync(binary)) return;
    this.isTested = true;
    const child = startProgram(binary, selfTestArguments, {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.testing = child;
    // Everything else on this machine has priority: what is measured is CPU time.
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended already, or the system does not allow it.
    }
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-10_000)));
    const cancelLimit = clock.after(maxSelfTestMs, () => child.kill('SIGKILL'));
    child.on('error', (error) => problem(`The agent's self-test could not start: ${error.message}.`));
    child.on('close', () => {
      cancelLimit();
      this.testing = undefined;
      const result = selfTestOf(output, clock.now());
      if (!result) return;
      this.keep(machine, { costs: [], ...this.of(machine), selfTest: result });
      done();
    });
  }

  /** Stops a running self-test; the next query starts it again. */
  close(): void {
    if (!this.testing) return;
    this.isTested = false;
    this.testing.kill('SIGKILL');
  }

  private keep(machine: MachineFingerprint, measured: TesterMeasured): void {
    this.byMachine.set(machineKey(machine), measured);
    this.file?.save(JSON.stringify(Object.fromEntries(this.byMachine), null, 1));
  }

  /** Resolves when all are saved, or that has failed. */
  async whenSaved(): Promise<void> {
    await this.file?.whenSaved();
  }

  /** What can't be read is measured again. */
  private read(): z.infer<typeof storedMeasurements> {
    const { path } = this.options;
    if (path === undefined || !existsSync(path)) return {};
    try {
      return storedMeasurements.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return {};
    }
  }
}
