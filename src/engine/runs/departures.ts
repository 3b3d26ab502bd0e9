import type { LostTester } from '../../domain/verdict/judged';
import type { FleetNode } from '../fleet/node';
import type { Pull, PullJob } from './pull';
import type { Pulls } from './pulls';

/** How the viewers of a run leave, and why. */
export class Departures {
  /** When a person stopped the run before its own end. */
  stoppedMs: number | undefined;
  /** Testers that stopped before the plan's end, each with its reason. */
  readonly lostTesters: LostTester[] = [];

  constructor(
    private readonly pulls: Pulls,
    private readonly now: () => number,
  ) {}

  /** A stop counts as a person's only while the plan had not come to its own end. */
  markStopped(): void {
    const { list } = this.pulls;
    const leavingByItself = list.length > 0 && list.every((pull) => pull.leaveMs !== undefined);
    if (!leavingByItself) this.stoppedMs ??= this.now();
  }

  /** Sends the viewers of a pull home, or of one of its jobs. */
  async leave(pull: Pull, force: boolean, only?: PullJob): Promise<void> {
    await pull.leave(this.now(), force, only);
    // Forcing works even when a tester does not listen any more.
    if (!force) return;
    const deaf = pull.remaining().filter((job) => job.leaveTaken !== 'by force' && (!only || job === only));
    await Promise.all(deaf.map((job) => job.tester.node.stop(true)));
  }

  /** Does so with one job; a pull has left when its last one does. */
  leaveJob(pull: Pull, job: PullJob, force: boolean): Promise<void> {
    const others = pull.remaining().some((other) => other !== job);
    return this.leave(pull, force, others ? job : undefined);
  }

  /** Ends the testers of a pull that would not send their viewers home. */
  kill(pull: Pull): void {
    for (const job of pull.remaining()) void job.tester.node.stop(true);
  }

  /** A tester heard no console for too long and has disconnected its viewers. Theirs was no ending that the plan had. */
  leftAlone(node: FleetNode, timeMs: number, problem: string): void {
    for (const pull of this.pulls.list)
      for (const job of pull.jobs)
        if (job.tester.node === node && timeMs < (pull.leaveMs ?? Number.POSITIVE_INFINITY))
          this.addLost(job, timeMs, problem);
  }

  /** A tester's process is gone, and its viewers with it. */
  lose(node: FleetNode, problem: string): void {
    for (const pull of this.pulls.list)
      for (const job of pull.lose(node, problem))
        if (pull.leaveMs === undefined) this.addLost(job, this.now(), problem);
  }

  private addLost({ tester: { name } }: PullJob, timeMs: number, problem: string): void {
    this.lostTesters.push({ node: name, timeMs, sentence: `${name}: ${problem}` });
  }
}
