import type { NamedLayout } from '../../domain/model/chartLayout';
import { audiencesOf } from '../../domain/model/distribution';
import type { Plan } from '../../domain/model/plan';
import { publishesOnly } from '../../domain/model/publisherGroup';
import type { PreflightReport } from '../../domain/model/preflightReport';
import { detailedCount } from '../../domain/run/detailedViewers';
import { clipMime, type JobView, type RunEvent, type RunId, type RunView, type Still } from '../../domain/model/run';
import { isAudienceId } from '../../domain/model/audience';
import { requireClipSpace } from './clipSpace';
import type { ViewerRow, ViewerDetail } from '../../contract/viewerSchemas';
import type { Sample, SeriesId } from '../../domain/series/series';
import { FullhouseError } from '../../contract/calls';
import type { CallInput } from '../../contract/engine';
import { Emitter } from '../base/emitter';
import { waitUntil, type Clock } from '../base/clock';
import { log } from '../base/log';
import { thisMachine, type FleetNode, type NodeChange } from '../fleet/node';
import type { AllowedPlan } from '../consent/allowedPlan';
import type { Fleet } from '../fleet/fleet';
import type { HostLoadWatch } from '../fleet/hostLoadWatch';
import type { Publications } from '../fleet/publications';
import { withoutPlayers } from './audience';
import type { SecretBox } from '../secrets/secretBox';
import { requireSecrets } from '../secrets/resolve';
import { samplesOf, type LiveSample } from '../base/samples';
import type { SavedRuns } from '../savedRuns/savedRuns';
import type { NewStill, RunRecorder, RunRecording } from '../store';
import { newRunId } from '../store/id';
import { planProblems } from './planCheck';
import { playerEvents, spotCheckEvent, type PlayerEvent, type PlayerReport } from './playerEvents';
import { isEarlier } from './earlierChanges';
import { refuseUnreachable } from './refusal';
import { firstView, type BrowserHosts } from './runParts';
import { ActiveRun } from './activeRun';
import type { ReportedDistributions, RunOutput } from './runOutput';

export interface RunManagerOptions {
  readonly fleet: Fleet;
  readonly publications: Publications;
  /** Control players of this console on a node, which are not viewers of the audience. */
  readonly players: (node: FleetNode) => number;
  readonly browsers: BrowserHosts;
  readonly secrets: SecretBox;
  readonly recorder: RunRecorder;
  readonly saved: SavedRuns;
  readonly version: string;
  readonly clock: Clock;
  readonly problem: (sentence: string) => void;
  /** CPU used by other programs on the hosts. */
  readonly hostLoads: HostLoadWatch;
  /** How long hosts are measured before the first viewer; default 3 s. */
  readonly baselineMs?: number | undefined;
  /** Folder of the runs with which ending runs are compared; default: that of `recorder`. */
  readonly baselinesFolder?: string | undefined;
  /** Results of a recent preflight, for a run with these nodes. */
  readonly preflight?: (plan: Plan, nodes: ReadonlyMap<string, FleetNode>) => PreflightReport | undefined;
}

/** Manages at most one active run, and keeps the last one until the next starts. */
export class RunManager {
  readonly samples = new Emitter<readonly LiveSample[]>();
  /** The same of nodes only, under their ids in the fleet, whatever the plan of a run calls them. */
  readonly samplesById = new Emitter<readonly Sample[]>();
  /** Distributions of the active run. */
  readonly distributions = new Emitter<ReportedDistributions & { readonly run: RunId }>();
  readonly event = new Emitter<RunEvent>();
  readonly still = new Emitter<Still>();
  readonly changed = new Emitter<void>();
  readonly runsChanged = new Emitter<void>();
  private run: ActiveRun | undefined;
  private writer: RunRecording | undefined;
  private events: RunEvent[] = [];
  private stills: Still[] = [];
  private lastJob = 0;
  /** Settles when the last start has; never rejects. */
  private starting: Promise<void> = Promise.resolve();
  /** A run to which nothing is added, and the sentence for what is refused. */
  private alone: { readonly run: string; readonly why: string } | undefined;
  /** Cancels the start of a run whose file is being created. */
  private creating: AbortController | undefined;

  constructor(private readonly options: RunManagerOptions) {
    options.fleet.changes.on(({ node, change }) => this.take(node, change));
  }

  /** The active run, or the last one; null before the first. */
  view(): RunView | null {
    return this.run?.view() ?? null;
  }

  log(): { readonly events: readonly RunEvent[]; readonly stills: readonly Still[] } {
    return { events: this.events, stills: this.stills };
  }

  /** Pulls of the active run. */
  jobs(): JobView[] {
    return this.activeRun?.jobs() ?? [];
  }

  get activeRun(): ActiveRun | undefined {
    return this.run && this.run.state !== 'ended' ? this.run : undefined;
  }

  /** Current name of a node: its name in the active run, else its id. */
  nameOf(node: FleetNode): string {
    return this.activeRun?.namesOf(node)[0] ?? node.id;
  }

  /** Starts a run, or adds the plan's pull to the active one. Throws a sentence when the plan can't be started. */
  async start({ plan }: AllowedPlan): Promise<string> {
    // One after the other: a second plan is added to the run of the first.
    const before = this.starting;
    const start = before.then(() => this.startNow(plan));
    this.starting = start.then(
      () => undefined,
      () => undefined,
    );
    return start;
  }

  /**
   * Starts a run of its own. Until it has ended other plans are not added, but refused with `busy` and the sentence
   * `why`. Throws `busy` while a run is active.
   */
  async startAlone(allowed: AllowedPlan, why: string): Promise<string> {
    await this.starting;
    if (this.activeRun)
      throw new FullhouseError('busy', `"${this.activeRun.view().name}" is active; wait for its end, or stop it.`);
    const run = await this.start(allowed);
    if (this.run?.id === run) this.alone = { run, why };
    return run;
  }

  private async startNow(plan: Plan): Promise<string> {
    requireStartable(plan);
    requireSecrets(plan, this.options.secrets);
    const current = this.activeRun;
    if (current && current.id === this.alone?.run) throw new FullhouseError('busy', this.alone.why);
    if (current && current.state === 'stopping')
      throw new FullhouseError('stopping', 'The active run is being stopped; start again when it has ended.');
    if (current && audiencesOf(plan).some(({ search }) => search !== undefined))
      throw new FullhouseError(
        'bad-plan',
        'A limit search varies the load of the whole run, and would disturb the audiences of the active run. Stop the active run first.',
      );
    if (current && (publishesOnly(plan) || publishesOnly(current.view().plan)))
      throw new FullhouseError(
        'bad-plan',
        'A run with publishers alone measures them only, so nothing can be added to it, nor it to another run. Stop the active run first.',
      );
    const nodes = this.options.fleet.bind(plan.nodes, current?.boundNodes);
    refuseUnreachable(plan, nodes);
    if (current) {
      void current.add(plan, nodes);
      return current.id;
    }
    const startedMs = this.options.clock.now();
    const id = newRunId(plan.name, startedMs);
    const { recorder, version } = this.options;
    const creating = new AbortController();
    this.creating = creating;
    let writer: RunRecording;
    try {
      writer = await recorder.create(firstView(id, plan, nodes, startedMs), { version }, creating.signal);
    } finally {
      this.creating = undefined;
    }
    this.events = [];
    this.stills = [];
    this.writer = writer;
    const run = new ActiveRun(id, plan, nodes, startedMs, {
      clock: this.options.clock,
      publications: this.options.publications,
      players: this.options.players,
      secrets: this.options.secrets,
      saved: this.options.saved,
      writer,
      nextJob: () => `pull-${(this.lastJob += 1)}`,
      preflight: this.options.preflight?.(plan, nodes),
      hostLoads: this.options.hostLoads,
      baselineMs: this.options.baselineMs,
      baselinesFolder: this.options.baselinesFolder,
      browsers: this.options.browsers,
    });
    run.output.on((output) => this.takeOutput(id, output));
    this.run = run;
    log.info(`Run ${id} started: "${plan.name}".`);
    run.begin();
    this.runsChanged.emit();
    if (creating.signal.aborted) void run.stop(false);
    void run.ended.then(() => {
      log.info(`Run ${id} ended: ${run.view().verdict?.verdict ?? 'no verdict'}.`);
      this.runsChanged.emit();
      this.release(run.boundNodes);
    });
    return id;
  }

  /** Stops what existed for a run only. */
  private release(nodes: ReadonlyMap<string, FleetNode>): void {
    for (const node of nodes.values())
      if (node.endsWithRun && !this.options.publications.isUsing(node))
        node.stop().catch((error: unknown) => this.options.problem((error as Error).message));
  }

  /** The file of a run can't be written, or can be again: an event of the run, so that it is visible. */
  trouble(id: string, sentence: string): void {
    if (this.activeRun?.id === id) this.activeRun.remark(sentence);
    else this.options.problem(sentence);
  }

  /** A run was renamed: its view follows. */
  renamed(id: string, name: string): void {
    if (this.run?.id === id) this.run.rename(name);
  }

  /** The chart layout of a run. That of an ended run stays as it was recorded. */
  setLayout(id: string, layout: NamedLayout): void {
    if (this.activeRun?.id === id) this.activeRun.setLayout(layout);
  }

  /** A run was deleted: it is no longer shown as the last one. */
  forget(id: string): void {
    if (this.run?.id !== id || this.run.state !== 'ended') return;
    this.run = undefined;
    this.writer = undefined;
    this.events = [];
    this.stills = [];
  }

  /** Stops one pull; undefined when no run has this job. */
  async stopJob(job: string, force: boolean): Promise<number | undefined> {
    return this.activeRun?.stopJob(job, force);
  }

  /** Stops everything; 0 when no run is active. */
  async stopAll(force: boolean): Promise<number> {
    // A run whose file is being created has no viewers: its start is cancelled.
    this.creating?.abort();
    if (force) this.options.recorder.hurry();
    return (await this.activeRun?.stop(force)) ?? 0;
  }

  note(run: string, text: string, timeMs: number | undefined): RunEvent {
    return this.writing(run).run.note(text, timeMs ?? this.options.clock.now());
  }

  /** Throws `clips-full` when the run has no space for more clips. */
  saveStill(run: string, still: Omit<NewStill, 'timeMs'> & { readonly timeMs?: number | undefined }): Still {
    const { writer } = this.writing(run);
    if (still.mime === clipMime) requireClipSpace(this.stills, still.data.length);
    const savedStill = writer.still({ ...still, timeMs: still.timeMs ?? this.options.clock.now() });
    this.stills.push(savedStill);
    this.still.emit(savedStill);
    return savedStill;
  }

  /** What the browser viewers of a run displayed; ignored once it has ended. */
  browserViewers({ run, ...report }: CallInput<'browserViewers.report'>): void {
    if (this.activeRun?.id === run) this.activeRun.takeBrowserViewers(report);
  }

  player(report: PlayerReport): void {
    const run = this.activeRun;
    if (!run) return;
    const timeMs = this.options.clock.now();
    const samples = samplesOf(timeMs, report.node, report.values);
    run.record(samples);
    this.emitOfRun(samples);
    if (report.displayed) run.takePlayer(report.node, report.displayed);
    for (const event of playerEvents(report)) run.playerEvent(timeMs, event);
  }

  spotCheck({ run, node, spotCheck }: CallInput<'player.spotCheck'>): RunEvent {
    const event = { node, ...spotCheckEvent(node, spotCheck) };
    return this.writing(run).run.playerEvent(this.options.clock.now(), event);
  }

  /** An event of the control player, in the active run, if any. */
  playerEvent(event: PlayerEvent): void {
    this.activeRun?.playerEvent(this.options.clock.now(), event);
  }

  /** The viewers of the active run from its testers; undefined when `run` is not the active one. */
  viewers(run: string): Promise<ViewerRow[]> | undefined {
    return this.activeRun?.id === run ? this.activeRun.viewerRows() : undefined;
  }

  /** Details of one viewer of the active run. */
  async viewer(run: string, job: string, viewer: number): Promise<ViewerDetail> {
    const { activeRun } = this;
    if (activeRun?.id === run) return activeRun.viewerDetail(job, viewer);
    throw new FullhouseError(
      'run-ended',
      `The details of this viewer were not saved: a run contains those of its ${detailedCount.worst} worst viewers and of ${detailedCount.random} random ones.`,
    );
  }

  /** Figures of this host, under every name of a running node on it. */
  host(timeMs: number, values: Partial<Record<SeriesId, number>>): void {
    const run = this.activeRun;
    const here = this.options.fleet.nodes.filter((node) => node.host === thisMachine);
    const ofRun: Sample[] = [];
    const others: Sample[] = [];
    const byId: Sample[] = [];
    for (const node of here) {
      const names = run?.namesOf(node) ?? [];
      // A node that does not run has no figures: those of the host belong to this machine then.
      if (names.length === 0 && !node.running && node !== this.options.fleet.machine) continue;
      const ownValues = node.figures.take('this-machine', values);
      ofRun.push(...names.flatMap((name) => samplesOf(timeMs, name, ownValues)));
      const own = samplesOf(timeMs, node.id, ownValues);
      if (names.length === 0) others.push(...own);
      byId.push(...own);
    }
    run?.record(ofRun);
    this.samples.emit([...this.inFleet(ofRun), ...this.besidesRun(others)]);
    this.samplesById.emit(byId);
  }

  /** The clock of this machine was set, possibly during a run. */
  clockStepped(stepMs: number): void {
    this.activeRun?.clockStepped(stepMs);
  }

  /** This process did not run for a while. */
  paused(pausedMs: number): void {
    this.activeRun?.paused(pausedMs);
  }

  tick(nowMs: number): void {
    this.activeRun?.tick(nowMs);
  }

  /** Resolves when no run is active and the file of the last one is compacted. */
  async idle(): Promise<void> {
    await this.starting;
    await this.run?.ended;
  }

  /**
   * Resolves when the run has ended; while its disk does not answer, when all viewers are disconnected and the streams
   * of the run are no longer published.
   */
  async stopped(): Promise<void> {
    let isIdle = false;
    const idle = this.idle().then(() => (isIdle = true));
    await waitUntil(
      this.options.clock,
      () => isIdle || (this.options.recorder.isSilent && (this.run?.isReleased ?? true)),
      Infinity,
    );
    if (!this.options.recorder.isSilent) await idle;
  }

  private takeOutput(run: RunId, output: RunOutput): void {
    if (output.kind === 'samples') this.emitOfRun(output.samples);
    if (output.kind === 'distributions') this.distributions.emit({ ...output, run });
    if (output.kind === 'changed') this.changed.emit();
    if (output.kind === 'problem') this.options.problem(output.sentence);
    if (output.kind !== 'event') return;
    log.info(`Run ${run}, ${output.event.who}: ${output.event.sentence}`);
    this.events.push(output.event);
    this.event.emit(output.event);
  }

  private emitOfRun(samples: readonly Sample[]): void {
    this.samples.emit(this.inFleet(samples));
    this.samplesById.emit(this.byId(samples));
  }

  private emitById(samples: readonly Sample[]): void {
    this.samples.emit(this.besidesRun(samples));
    this.samplesById.emit(samples);
  }

  /** Samples of the run, with the node of the fleet where the run has another name for it. */
  private inFleet(samples: readonly Sample[]): readonly LiveSample[] {
    const bound = this.run?.boundNodes;
    return samples.map((sample) => {
      const id = bound?.get(sample.node)?.id;
      return id === undefined || id === sample.node ? sample : { ...sample, fleetNode: id };
    });
  }

  /** Samples of nodes outside the run, whose names another node may have in it. */
  private besidesRun(samples: readonly Sample[]): readonly LiveSample[] {
    const bound = this.activeRun?.boundNodes;
    return samples.map((sample) => (bound?.has(sample.node) ? { ...sample, fleetNode: sample.node } : sample));
  }

  private byId(samples: readonly Sample[]): readonly Sample[] {
    const bound = this.run?.boundNodes;
    return samples.flatMap((sample) =>
      isAudienceId(sample.node) ? [] : [{ ...sample, node: bound?.get(sample.node)?.id ?? sample.node }],
    );
  }

  private take(node: FleetNode, change: NodeChange): void {
    const run = this.activeRun;
    if (run && run.namesOf(node).length > 0) {
      if (!isEarlier(change, run.startedMs)) return run.take(node, change);
      if (change.kind === 'message') log.info(`${node.id}, before run ${run.id}: ${change.sentence}`);
    }
    if (change.kind === 'process' || change.kind === 'host')
      this.emitById(samplesOf(change.timeMs, node.id, change.values));
    if (change.kind !== 'server') return;
    const { timeMs, values } = change.sample;
    this.emitById(samplesOf(timeMs, node.id, withoutPlayers(values, this.options.players(node))));
  }

  private writing(id: string): { run: ActiveRun; writer: RunRecording } {
    const run = this.activeRun;
    if (run?.id === id && this.writer) return { run, writer: this.writer };
    throw new FullhouseError('run-ended', 'This run has ended; notes and stills can only be added to an active run.');
  }
}

/** Throws the first problem of a plan, one sentence. */
export function requireStartable(plan: Plan): void {
  const [problem] = planProblems(plan);
  if (problem) throw new FullhouseError('bad-plan', `${problem.sentence} (${problem.path})`);
}
