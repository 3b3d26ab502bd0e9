import type { Alignment } from '../../domain/compare/curves';
import type { ComparisonKind } from '../../contract/libraryCalls';
import type { ShellApi } from '../../contract/shell';
import type { ImportedRun } from '../../contract/snapshotCalls';
import { defaultLayout, type ChartLayout } from '../../domain/layout/chartLayout';
import type { NodeView } from '../../domain/node';
import type { Plan } from '../../domain/plan/plan';
import { planFileName, planToYaml } from '../../domain/plan/planText';
import type { JobView, RunEvent, RunSummary } from '../../domain/run';
import { searchPlan } from '../../domain/search/searchPlan';
import { cpuBurden } from '../../domain/tester/testerCost';
import { splitOf, withTester, type TesterSplit } from '../../domain/tester/testerSplit';
import type { SampleStore } from '../charts/sampleStore';
import type { TimeAxis } from '../charts/timeAxis.svelte';
import type { RedactionChoice } from '../../domain/redaction/found';
import { extensions, formOf, type ExportKind } from '../headline/exportKind';
import { Clock } from './clock.svelte';
import { Imports } from '../prometheus/imports.svelte';
import { MetricsOffer } from '../prometheus/metricsOffer.svelte';
import type { Engine } from './connection';
import { Fleet } from './fleet.svelte';
import { Isolation } from './isolation.svelte';
import type { Notices } from './notices.svelte';
import { railNodes } from '../nodes/rowText';
import { OpenedRun } from './openedRun.svelte';
import type { Preferences } from './preferences.svelte';
import { Publishing } from './publishing.svelte';
import type { RunRecord } from './runRecord.svelte';
import { RunsScreen } from '../runs/runsScreen.svelte';
import { RunsList } from './runsList.svelte';
import { noticeOfSaved } from './savedFile';
import { Session } from './session.svelte';
import { Starting } from './starting.svelte';
import { Stopping } from './stopping.svelte';

/** The stores of one engine, and what a click does with them. Every call that fails ends as a notice with its sentence. */
export class Desk {
  readonly session: Session;
  readonly runs: RunsList;
  readonly runsScreen: RunsScreen;
  readonly opened: OpenedRun;
  readonly starting: Starting;
  readonly stopping: Stopping;
  readonly publishing: Publishing;
  readonly fleet: Fleet;
  readonly imports: Imports;
  readonly metrics: MetricsOffer;
  readonly isolation = new Isolation();
  readonly clock = new Clock();
  isStarting = $state(false);
  /** The run under way is being stopped, and then this plan starts. */
  next = $state.raw<Plan>();
  /** A snapshot of this run is being made. */
  sharing = $state.raw<{ readonly id: string; readonly name: string }>();
  #forgetNext: (() => void) | undefined;
  /** What somebody chose to play; the run's own stream otherwise. */
  played = $state.raw<{ readonly node: string; readonly stream: string }>();
  /** The record on the screen: a kept run that was opened, else the run of this session. */
  readonly record: RunRecord | undefined = $derived.by(() => this.opened.record ?? this.session.record);

  /** The time axis of what is on the screen. */
  get axis(): TimeAxis {
    return this.record?.axis ?? this.session.idleAxis;
  }

  readonly hasEnded: boolean = $derived(this.record?.run.state === 'ended');
  /** Nodes in the rail's order. */
  readonly nodes: readonly NodeView[] = $derived.by(() => this.record?.run.nodes ?? this.session.nodes);
  /** What the rail lists: what takes part in the run, else the fleet without what this machine has and nobody started. */
  readonly railNodes: readonly NodeView[] = $derived.by(
    () => this.record?.run.nodes ?? railNodes(this.session.nodes),
  );
  readonly samples: SampleStore = $derived.by(() => this.record?.samples ?? this.session.idleSamples);
  /** Changes with every batch: the store itself is not reactive. */
  readonly sampleVersion: number = $derived.by(() =>
    this.record ? this.record.sampleVersion : this.session.idleSampleVersion,
  );
  /** Where the time axis begins. */
  readonly startedMs: number = $derived.by(() => {
    void this.sampleVersion;
    return this.record?.run.startedMs ?? this.samples.firstTimeMs ?? this.clock.nowMs;
  });
  readonly hasData: boolean = $derived.by(() => {
    void this.sampleVersion;
    return this.samples.lastTimeMs !== undefined;
  });
  /** Where the crosshair stands, Unix ms. */
  readonly cursorMs: number | undefined = $derived.by(() => {
    const { cursorMs } = this.axis;
    return cursorMs === undefined ? undefined : this.startedMs + cursorMs;
  });

  /** What is offered for the run on the screen when testers were too weak for it. */
  readonly split: TesterSplit | undefined = $derived.by(() => {
    const run = this.record?.run;
    if (!run || (run.state === 'stopping' && !this.next)) return undefined;
    void this.sampleVersion;
    return splitOf(run, this.session.nodes, (tester) => {
      const viewers = this.samples.column(tester.id, 'viewersConnected');
      const { series, factor } = cpuBurden(tester, run.nodes);
      const burdens = [
        { what: 'cpu', series, factor },
        { what: 'reader', series: 'testerReaderBusyPercent', factor: 1 },
      ] as const;
      return burdens.flatMap((each) => {
        const burden = this.samples.column(tester.id, each.series);
        return burden && viewers ? [{ what: each.what, factor: each.factor, burden, viewers }] : [];
      });
    });
  });

  readonly #stopFollowing: () => void;

  constructor(
    readonly engine: Engine,
    readonly shell: ShellApi,
    readonly preferences: Preferences,
    readonly notices: Notices,
  ) {
    const onProblem = (error: unknown): void => this.notices.problem(error);
    this.session = new Session(engine, onProblem);
    this.runs = new RunsList(engine, onProblem);
    this.runsScreen = new RunsScreen(engine);
    this.opened = new OpenedRun(engine, onProblem);
    this.starting = new Starting(engine, shell, onProblem);
    this.stopping = new Stopping(engine, onProblem);
    this.publishing = new Publishing(engine, notices);
    this.fleet = new Fleet(engine, shell, notices);
    this.imports = new Imports(engine, notices);
    this.metrics = new MetricsOffer(engine, notices);
    this.#stopFollowing = engine.on('run', (run) => {
      this.clock.follow(run && run.state !== 'ended' ? run.figures.timeMs : undefined);
      if (run && run.state !== 'ended') this.#sendLayout(run.id);
    });
  }

  /** The run under way and the layout that it was told of last: its file and its report follow the charts on the screen. */
  #sent: { readonly run: string; readonly layout: ChartLayout } | undefined;
  #sendLayout(run: string): void {
    const { layouts } = this.preferences;
    const known = this.#sent?.run === run ? this.#sent.layout : defaultLayout;
    if (known === layouts.current) return;
    this.#sent = { run, layout: layouts.current };
    void this.#try(() => this.engine.call('runs.setLayout', { run, layout: layouts.inUse }));
  }

  async load(): Promise<void> {
    await Promise.all([this.session.load(), this.runs.refresh()]);
  }

  dispose(): void {
    this.#stopFollowing();
    for (const store of [this.imports, this.metrics]) store.dispose();
    for (const store of [this.session, this.runs, this.starting, this.publishing, this.fleet, this.clock])
      store.dispose();
  }

  /** Starts a run, or adds the plan's pull to the one under way. */
  async start(plan: Plan): Promise<void> {
    this.isStarting = true;
    const came = await this.starting.begin(plan);
    this.isStarting = false;
    if (came === 'scheduled') this.notices.done(`"${plan.name}" is scheduled.`);
    if (came !== 'begun') return;
    this.opened.close();
    this.played = undefined;
  }

  /** Runs the plan on the screen again with one tester more. */
  async splitOver(tester: NodeView): Promise<void> {
    const run = this.record?.run;
    // A kept run that is looked at has no say over the one under way.
    if (run && !(this.hasEnded && this.session.isLive)) await this.restart(withTester(run.plan, tester));
  }

  /** Runs the plan on the screen so that it looks for the largest audience. */
  async findLimit(): Promise<void> {
    const run = this.record?.run;
    if (run && this.hasEnded && !this.session.isLive) await this.start(searchPlan(run.plan, run.nodes));
  }

  /** Starts a plan when the run under way has sent everybody home; what is published stays. Without a run it starts at once. */
  async restart(plan: Plan): Promise<void> {
    if (!this.session.isLive) return this.start(plan);
    if (this.next) return;
    const pulls = this.session.jobs.filter(
      ({ kind, state }) => kind === 'pull' && state !== 'ended' && state !== 'failed',
    );
    this.next = plan;
    const unsubscribe = this.engine.on('run', (run) => {
      if (run && run.state !== 'ended') return;
      this.#forgetNext?.();
      void this.start(plan);
    });
    this.#forgetNext = () => {
      unsubscribe();
      this.next = undefined;
      this.#forgetNext = undefined;
    };
    const asked = await this.#try(async () => {
      // Before anybody is on the way there is no job to end.
      if (pulls.length === 0) await this.engine.call('runs.stopAll', { force: false });
      for (const { id } of pulls) await this.engine.call('runs.stopJob', { job: id, force: false });
      return true;
    });
    if (!asked) this.#forgetNext?.();
  }

  /** The second stop is by force, and so is the first when `force` says so. */
  stopAll(force = false): void {
    // Who stops everything wants nothing to start afterwards.
    this.#forgetNext?.();
    if (!this.session.isActive && !this.stopping.isAsked) return;
    void this.stopping.stop(force);
    this.publishing.endAll();
  }

  async stopJob(job: JobView): Promise<void> {
    if (job.kind === 'publish') return this.publishing.stop(job.id);
    // A second press on a job that is leaving already forces, as with Stop all.
    await this.#try(() => this.engine.call('runs.stopJob', { job: job.id, force: job.state === 'leaving' }));
  }

  /** Keeps a note in the run on the screen; in a kept run it lies beside what was recorded. */
  async note(text: string, sinceStartMs: number): Promise<void> {
    const { record } = this;
    if (!record) return;
    const timeMs = Math.round(record.run.startedMs + sinceStartMs);
    const author = this.preferences.author || undefined;
    const event = await this.#try(() =>
      this.engine.call('runs.note', { run: record.run.id, text, timeMs, author }),
    );
    if (event) record.addEvent(event);
  }

  async editNote({ annotation }: RunEvent, text: string): Promise<void> {
    const { record } = this;
    if (!record || !annotation) return;
    const { uid } = annotation;
    const event = await this.#try(() => this.engine.call('notes.edit', { run: record.run.id, uid, text }));
    if (event) record.replaceEvent(event);
  }

  async removeNote(event: RunEvent): Promise<void> {
    const { record } = this;
    if (!record || !event.annotation) return;
    const { uid } = event.annotation;
    const removed = await this.#try(() => this.engine.call('notes.remove', { run: record.run.id, uid }));
    if (!removed) return;
    record.dropEvent(event.id);
    this.notices.done('Removed the note.', {
      text: 'Undo',
      run: () => {
        // Another run may be on the screen by now.
        if (this.record === record) void this.editNote(event, event.sentence);
      },
    });
  }

  /** Says what came of a file whose run was here already, and shows the notes that it brought. */
  async tellNews(imported: ImportedRun | undefined): Promise<void> {
    if (imported?.news === undefined) return;
    this.notices.done(imported.news);
    for (const record of [this.session.record, this.opened.record])
      if (record?.run.id === imported.id) {
        const kept = await this.#try(() => this.engine.call('runs.open', { run: imported.id }));
        if (kept) record.events = kept.events;
      }
  }

  async openRun(run: string): Promise<boolean> {
    if (this.session.record?.run.id === run) {
      this.opened.close();
      return true;
    }
    return this.opened.open(run);
  }

  async deleteRuns(runs: readonly RunSummary[]): Promise<void> {
    const gone: RunSummary[] = [];
    for (const run of runs) if (await this.runs.delete(run.id)) gone.push(run);
    const [first] = gone;
    if (!first) return;
    if (gone.some(({ id }) => id === this.record?.run.id)) this.putAway();
    const undo = async (): Promise<void> => {
      for (const { id } of gone) await this.runs.undelete(id);
    };
    const what = gone.length === 1 ? `"${first.name}"` : `${gone.length} runs`;
    this.notices.done(`Deleted ${what}.`, { text: 'Undo', run: () => void undo() });
  }

  /** The screen without the run that is on it. */
  putAway(): void {
    if (this.opened.record) this.opened.close();
    else this.session.putAway();
  }

  /** Answers whether a file was written. */
  async exportRun(run: { readonly id: string; readonly name: string }, kind: ExportKind): Promise<boolean> {
    if (kind === 'snapshot') {
      this.sharing = { id: run.id, name: run.name };
      return false;
    }
    const { form, isRedacted } = formOf(kind);
    // Who takes the names out of a file does not want one in the file's own name.
    const suggestedName = `${isRedacted ? 'run' : fileName(run.name)}.${extensions[form]}`;
    const saved = await this.#try(() =>
      this.shell.call('shell.export', { run: run.id, kind: form, suggestedName, isRedacted }),
    );
    if (saved) this.#saved(saved.path);
    return Boolean(saved);
  }

  /** One after the other; who cancels one wants none of the rest. */
  async exportRuns(runs: readonly RunSummary[], kind: ExportKind): Promise<void> {
    for (const run of runs) if (!(await this.exportRun(run, kind))) return;
  }

  async exportComparison(runs: readonly string[], kind: ComparisonKind, alignment: Alignment): Promise<void> {
    const suggestedName = `comparison.${kind === 'srs' ? 'md' : kind}`;
    const saved = await this.#try(() =>
      this.shell.call('shell.exportComparison', { runs: [...runs], kind, alignment, suggestedName }),
    );
    if (saved) this.#saved(saved.path);
  }

  /** Answers whether it was written; a problem is told. */
  async saveSnapshot(
    run: { readonly id: string; readonly name: string },
    choice: RedactionChoice,
  ): Promise<boolean> {
    const saved = await this.#try(() =>
      this.shell.call('shell.snapshot', { run: run.id, choice, suggestedName: 'snapshot.fullhouse' }),
    );
    if (saved) this.#saved(saved.path);
    return Boolean(saved);
  }

  async exportPng(chart: string, data: Uint8Array): Promise<void> {
    const name = this.record ? fileName(this.record.run.name) : 'fullhouse';
    const suggestedName = `${name}-${chart}.png`;
    const saved = await this.#try(() => this.shell.call('shell.savePng', { suggestedName, data }));
    if (saved) this.#saved(saved.path);
  }

  #saved(path: string): void {
    noticeOfSaved(this.shell, this.notices, path);
  }

  copy(text: string): void {
    void this.#try(() => this.shell.call('shell.copyText', { text })).then((copied) => {
      if (copied) this.notices.done('Copied.');
    });
  }

  /** Asks where to save a plan as YAML; answers the path. */
  async savePlan(plan: Plan): Promise<string | undefined> {
    return this.saveText(planFileName(plan), planToYaml(plan));
  }

  /** Asks where to save a text; answers the path. */
  async saveText(suggestedName: string, text: string): Promise<string | undefined> {
    const saved = await this.#try(() => this.shell.call('shell.saveText', { suggestedName, text }));
    if (saved) this.#saved(saved.path);
    return saved?.path;
  }

  /** Asks for a file; answers the run that was imported. */
  async chooseRun(): Promise<RunSummary | undefined> {
    const chosen = (await this.#try(() => this.shell.call('shell.openRun', {}))) ?? undefined;
    void this.tellNews(chosen);
    return chosen;
  }

  async importDropped(file: File): Promise<RunSummary | undefined> {
    const imported = await this.#try(() => this.shell.importDropped(file));
    void this.tellNews(imported);
    return imported;
  }

  showInFolder(run: string): void {
    void this.#try(() => this.shell.call('shell.showInFolder', { run }));
  }

  /** Moves the crosshair of all charts to a moment. */
  jumpTo(timeMs: number): void {
    if (this.record) this.axis.jumpTo(timeMs - this.record.run.startedMs);
  }

  async #try<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.notices.problem(error);
      return undefined;
    }
  }
}

function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain.slice(0, 100) || 'run';
}
