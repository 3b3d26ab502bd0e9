import type { NamedLayout } from '../../domain/layout/chartLayout';
import type { Plan } from '../../domain/plan/plan';
import { hooksOf, hookText } from '../../domain/plan/planHooks';
import type { PreflightReport } from '../../domain/preflight/report';
import { detailedCount } from '../../domain/detailedViewers';
import type { JobView, RunEvent, RunView, Still, ViewerRow } from '../../domain/run';
import type { Sample, SeriesId } from '../../domain/series';
import type { ViewerDetail } from '../../domain/viewerDetail';
import { FullhouseError } from '../../contract/calls';
import { Emitter } from '../emitter';
import { thisMachine, type FleetNode, type NodeNews } from '../fleet/node';
import type { Fleet } from '../fleet/fleet';
import type { HostLoadWatch } from '../fleet/hostLoadWatch';
import type { Publications } from '../fleet/publications';
import type { SecretBox } from '../fleet/secretBox';
import { requireSecrets } from '../secrets/resolve';
import { samplesOf } from '../samples';
import type { SavedRuns } from '../savedRuns/savedRuns';
import { newRunId, type NewStill, type RunLibrary, type RunWriter } from '../store';
import { planProblems } from './planCheck';
import { refuseUnreachable } from './refuseUnreachable';
import { firstView } from './runParts';
import { RunUnderWay } from './runUnderWay';

export interface ConductorOptions {
  readonly fleet: Fleet;
  readonly publications: Publications;
  readonly secrets: SecretBox;
  readonly library: RunLibrary;
  readonly saved: SavedRuns;
  readonly version: string;
  readonly now: () => number;
  readonly problem: (sentence: string) => void;
  /** What other programs take of the hosts. */
  readonly hostLoads: HostLoadWatch;
  /** How long hosts are measured before the first viewer; default 3 s. */
  readonly baselineMs?: number | undefined;
  /** What was looked at shortly before, for a run with these nodes. */
  readonly preflight?: (plan: Plan, nodes: ReadonlyMap<string, FleetNode>) => PreflightReport | undefined;
}

/** Keeps at most one run under way, and what is known of the last one until the next begins. */
export class Conductor {
  readonly samples = new Emitter<readonly Sample[]>();
  readonly event = new Emitter<RunEvent>();
  readonly still = new Emitter<Still>();
  readonly changed = new Emitter<void>();
  readonly runsChanged = new Emitter<void>();
  private run: RunUnderWay | undefined;
  private writer: RunWriter | undefined;
  private events: RunEvent[] = [];
  private stills: Still[] = [];
  private lastJob = 0;

  constructor(private readonly options: ConductorOptions) {
    options.fleet.news.on(({ node, news }) => this.take(node, news));
  }

  /** The run under way, or the last one; null before the first. */
  view(): RunView | null {
    return this.run?.view() ?? null;
  }

  log(): { readonly events: readonly RunEvent[]; readonly stills: readonly Still[] } {
    return { events: this.events, stills: this.stills };
  }

  /** Pulls of the run under way. */
  jobs(): JobView[] {
    return this.underWay?.jobs() ?? [];
  }

  get underWay(): RunUnderWay | undefined {
    return this.run && this.run.state !== 'ended' ? this.run : undefined;
  }

  /** What a node is called now: its name in the run under way, else its id. */
  nameOf(node: FleetNode): string {
    return this.underWay?.namesOf(node)[0] ?? node.id;
  }

  /** Begins a run, or adds the plan's pull to the one under way. Throws a sentence when the plan can't be begun at all. */
  start(plan: Plan, { allowHooks = false }: { readonly allowHooks?: boolean } = {}): string {
    const [problem] = planProblems(plan);
    if (problem) throw new FullhouseError('bad-plan', `${problem.sentence} (${problem.path})`);
    this.requireAllowed(plan, allowHooks);
    requireSecrets(plan, this.options.secrets);
    const current = this.underWay;
    if (current && current.state === 'stopping')
      throw new FullhouseError(
        'stopping',
        'The run under way is being stopped; start again when it has ended.',
      );
    const nodes = this.options.fleet.bind(plan.nodes, current?.boundNodes);
    refuseUnreachable(plan, nodes);
    if (current) {
      void current.add(plan, nodes);
      return current.id;
    }
    const startedMs = this.options.now();
    const id = newRunId(plan.name, startedMs);
    const writer = this.options.library.create(firstView(id, plan, nodes, startedMs), {
      version: this.options.version,
    });
    this.events = [];
    this.stills = [];
    this.writer = writer;
    const run = new RunUnderWay(id, plan, nodes, startedMs, {
      now: this.options.now,
      publications: this.options.publications,
      secrets: this.options.secrets,
      library: this.options.library,
      saved: this.options.saved,
      writer,
      nextJob: () => `pull-${(this.lastJob += 1)}`,
      samples: (samples) => this.samples.emit(samples),
      event: (event) => {
        this.events.push(event);
        this.event.emit(event);
      },
      changed: () => this.changed.emit(),
      problem: this.options.problem,
      preflight: this.options.preflight?.(plan, nodes),
      hostLoads: this.options.hostLoads,
      baselineMs: this.options.baselineMs,
    });
    this.run = run;
    run.begin();
    this.runsChanged.emit();
    void run.ended.then(() => this.runsChanged.emit());
    return id;
  }

  /** A plan may come from elsewhere: what it does outside of this console has to be allowed first. Throws `hooks-not-allowed`. */
  requireAllowed(plan: Plan, allowHooks: boolean): void {
    const hooks = hooksOf(plan);
    if (hooks.length === 0 || allowHooks) return;
    throw new FullhouseError(
      'hooks-not-allowed',
      `This plan does something outside of Fullhouse, which has to be allowed: ${hooks.map(hookText).join('; ')}.`,
    );
  }

  /** The file of a run can't be written, or can be again: an event of the run, so that whoever watches it knows. */
  trouble(id: string, sentence: string): void {
    if (this.underWay?.id === id) this.underWay.remark(sentence);
    else this.options.problem(sentence);
  }

  /** A run was renamed: what is shown of it follows. */
  renamed(id: string, name: string): void {
    if (this.run?.id === id) this.run.rename(name);
  }

  /** How the charts of a run are arranged. One that has ended stays as it was recorded. */
  setLayout(id: string, layout: NamedLayout): void {
    if (this.underWay?.id === id) this.underWay.setLayout(layout);
  }

  /** A run was deleted: it is no longer shown as the last one. */
  forget(id: string): void {
    if (this.run?.id !== id || this.run.state !== 'ended') return;
    this.run = undefined;
    this.writer = undefined;
    this.events = [];
    this.stills = [];
  }

  /** Ends one pull; undefined when no run has this job. */
  async stopJob(job: string, force: boolean): Promise<number | undefined> {
    return this.underWay?.stopJob(job, force);
  }

  /** Ends everything; 0 when nothing is under way. */
  async stopAll(force: boolean): Promise<number> {
    return (await this.underWay?.stop(force)) ?? 0;
  }

  note(run: string, text: string, timeMs: number | undefined): RunEvent {
    return this.writing(run).run.note(text, timeMs ?? this.options.now());
  }

  keepStill(run: string, still: Omit<NewStill, 'timeMs'>): Still {
    const kept = this.writing(run).writer.still({ ...still, timeMs: this.options.now() });
    this.stills.push(kept);
    this.still.emit(kept);
    return kept;
  }

  player(node: string, values: Partial<Record<SeriesId, number>>, freezeMs: number | undefined): void {
    const run = this.underWay;
    if (!run) return;
    const timeMs = this.options.now();
    const samples = samplesOf(timeMs, node, values);
    run.record(samples);
    this.samples.emit(samples);
    if (freezeMs !== undefined) run.playerFroze(timeMs, freezeMs);
  }

  /** The viewers of the run under way from its testers; undefined when `run` is not the one under way. */
  viewers(run: string): Promise<ViewerRow[]> | undefined {
    return this.underWay?.id === run ? this.underWay.viewerRows() : undefined;
  }

  /** Details of one viewer of the run under way. */
  async viewer(run: string, job: string, viewer: number): Promise<ViewerDetail> {
    const { underWay } = this;
    if (underWay?.id === run) return underWay.viewerDetail(job, viewer);
    throw new FullhouseError(
      'run-ended',
      `The details of this viewer were not saved: a run keeps those of its ${detailedCount.worst} worst viewers and of ${detailedCount.random} random ones.`,
    );
  }

  /** Figures of this host, under every name that lives on it and runs. */
  host(timeMs: number, values: Partial<Record<SeriesId, number>>): void {
    const run = this.underWay;
    const here = this.options.fleet.nodes.filter((node) => node.host === thisMachine);
    const ofRun: Sample[] = [];
    const others: Sample[] = [];
    for (const node of here) {
      const names = run?.namesOf(node) ?? [];
      // What does not run has no figures: those of the host are this machine's then.
      if (names.length === 0 && !node.running && node !== this.options.fleet.machine) continue;
      const own = node.figures.take('this-machine', values);
      ofRun.push(...names.flatMap((name) => samplesOf(timeMs, name, own)));
      if (names.length === 0) others.push(...samplesOf(timeMs, node.id, own));
    }
    run?.record(ofRun);
    this.samples.emit([...ofRun, ...others]);
  }

  /** The clock of this machine was set while a run may be under way. */
  clockStepped(stepMs: number): void {
    this.underWay?.clockStepped(stepMs);
  }

  /** This process did not run for a while. */
  paused(pausedMs: number): void {
    this.underWay?.paused(pausedMs);
  }

  tick(nowMs: number): void {
    this.underWay?.tick(nowMs);
  }

  /** Resolves when no run is under way any more and the file of the last one is in its final order. */
  async idle(): Promise<void> {
    await this.run?.ended;
  }

  private take(node: FleetNode, news: NodeNews): void {
    const run = this.underWay;
    if (run && run.namesOf(node).length > 0) return run.take(node, news);
    if (news.kind === 'process' || news.kind === 'host')
      this.samples.emit(samplesOf(news.timeMs, node.id, news.values));
    if (news.kind === 'server') this.samples.emit(samplesOf(news.sample.timeMs, node.id, news.sample.values));
  }

  private writing(id: string): { run: RunUnderWay; writer: RunWriter } {
    const run = this.underWay;
    if (run?.id === id && this.writer) return { run, writer: this.writer };
    throw new FullhouseError(
      'run-ended',
      'This run has ended; notes and stills can only be added while it is under way.',
    );
  }
}
