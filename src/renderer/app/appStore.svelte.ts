import { type ChartLayout, defaultLayout } from '../../domain/model/chartLayout';
import type { JobView, RunSummary } from '../../domain/model/run';
import type { ShellApi } from '../../contract/shell';
import type { ImportedRun } from '../../contract/snapshotCalls';
import { Announcer } from '../ui/announcer/announcer.svelte';
import { Clock } from '../client/clock.svelte';
import type { WindowClient } from '../client/connection';
import { Fleet } from '../features/nodes/fleet.svelte';
import { PrometheusStore } from '../features/prometheus/prometheus.svelte';
import { Publishing } from '../features/publish/publishing.svelte';
import { RunsStore } from '../features/runs/runsStore.svelte';
import { SavedFiles } from '../features/share/savedFiles.svelte';
import { WindowBrowserViewers } from '../player/browserViewers/windowBrowserViewers';
import type { Preferences } from '../parts/preferences.svelte';
import type { Notices } from '../ui/notices/notices.svelte';
import { AlertRuleStore } from '../features/incidents/alertRuleStore';
import { IncidentList } from '../features/incidents/incidentList.svelte';
import { FleetWatch } from '../features/watch/fleetWatch.svelte';
import { Rotation } from '../features/watch/rotation.svelte';
import { sidebarNodes } from '../parts/nodes/rowText';
import { DisplayedRun } from './displayedRun.svelte';
import { announcementOf } from './runAnnouncements';
import { Session } from './session.svelte';
import { Starting } from './starting.svelte';
import { Stopping } from './stopping.svelte';

/** The stores of one engine, and what concerns several of them. Every failed call becomes a notice with its sentence. */
export class AppStore {
  readonly clock = new Clock();
  readonly announcer = new Announcer();
  readonly session: Session;
  readonly displayed: DisplayedRun;
  readonly watch: FleetWatch;
  readonly incidents: IncidentList;
  readonly alertRules: AlertRuleStore;
  readonly rotation: Rotation;
  readonly starting: Starting;
  readonly stopping: Stopping;
  readonly publishing: Publishing;
  readonly fleet: Fleet;
  readonly runs: RunsStore;
  readonly files: SavedFiles;
  readonly prometheus: PrometheusStore;
  readonly #browserViewers: WindowBrowserViewers;
  readonly #stopFollowing: () => void;

  /** The visible range is being saved as a run. */
  isSavingRange = $state(false);

  constructor(
    readonly engine: WindowClient,
    readonly shell: ShellApi,
    readonly preferences: Preferences,
    readonly notices: Notices,
  ) {
    const onProblem = (error: unknown): void => this.notices.problem(error);
    this.session = new Session(engine, onProblem, (event) => {
      const text = announcementOf(event);
      if (text !== undefined) this.announcer.announce('event', text);
    });
    this.displayed = new DisplayedRun(engine, this.session, notices);
    this.incidents = new IncidentList(engine, notices, ({ began }) => this.announcer.announce('event', began));
    this.alertRules = new AlertRuleStore(engine, shell, notices);
    this.rotation = new Rotation(
      ({ nodeId, stream }) => (this.displayed.played = { node: nodeId, stream }),
      ({ nodeId, stream }, finding) => this.incidents.played(nodeId, stream, finding),
    );
    this.watch = new FleetWatch({
      nodes: () => sidebarNodes(this.session.nodes),
      fleet: () => this.session.nodes,
      samples: this.session.watchedSamples,
      isPaused: () => this.session.isPaused,
    });
    this.starting = new Starting(engine, shell, notices, this.session, this.displayed);
    this.stopping = new Stopping(engine, onProblem);
    this.publishing = new Publishing(engine, shell, notices);
    this.fleet = new Fleet(engine, shell, notices);
    this.runs = new RunsStore(engine, notices);
    this.files = new SavedFiles(shell, notices);
    this.prometheus = new PrometheusStore(engine, notices);
    this.#browserViewers = new WindowBrowserViewers({
      engine,
      busyPercent: async () => (await shell.call('shell.processLoad', {})).machineBusyPercent,
      onProblem,
    });
    const layout = new LayoutSync(engine, preferences, notices);
    this.#stopFollowing = engine.on('run', (run) => {
      const live = run && run.state !== 'ended' ? run : undefined;
      this.#browserViewers.follow(run);
      this.clock.follow(live?.figures.timeMs);
      if (live) layout.send(live.id);
    });
  }

  async load(): Promise<void> {
    await this.session.load();
    // A process of its own reads the saved runs: its start would delay the first picture of the window.
    await Promise.all([
      this.runs.saved.refresh(),
      this.incidents.load(Date.now()),
      this.alertRules.check(),
      this.notices.attempt(() => this.engine.call('browserViewers.offer', {})),
    ]);
    this.#browserViewers.follow(this.session.record?.run ?? null);
  }

  dispose(): void {
    this.#stopFollowing();
    this.rotation.stop();
    this.#browserViewers.end();
    this.announcer.dispose();
    const { session, runs, starting, publishing, fleet, clock, prometheus, incidents, alertRules } = this;
    for (const store of [incidents, alertRules, session, runs.saved, starting, publishing, fleet, clock, prometheus])
      store.dispose();
  }

  /** Pauses what is displayed of running measurements, or resumes it at the current time. */
  togglePause(): void {
    if (this.session.isPaused) return this.resume();
    this.clock.isPaused = true;
    this.session.pause();
    this.announcer.announce('result', 'Live updates paused; recording continues.');
  }

  /** Resumes live updates and follows them. */
  resume(): void {
    this.session.resume();
    this.displayed.axis.follow();
  }

  /** The second stop is forced, as is the first with `force`. */
  stopAll(force = false): void {
    // Stop all also cancels a pending start.
    this.starting.cancelNext();
    this.session.resume();
    if (!this.session.isActive && !this.stopping.isRequested) return;
    void this.stopping.stop(force);
    this.publishing.endAll();
  }

  async stopJob(job: JobView): Promise<void> {
    this.session.resume();
    if (job.kind === 'publish') return this.publishing.stop(job.id);
    // A second press on a stopping job forces it, as with Stop all.
    await this.notices.attempt(() =>
      this.engine.call('runs.stopJob', { job: job.id, force: job.state === 'tearing-down' }),
    );
  }

  async deleteRuns(runs: readonly RunSummary[]): Promise<void> {
    const gone = await this.runs.delete(runs);
    if (gone.some(({ id }) => id === this.displayed.record?.run.id)) this.displayed.close();
  }

  /** Makes a run of the visible range of what is watched, and opens it. */
  async saveRange(): Promise<void> {
    if (this.isSavingRange) return;
    this.isSavingRange = true;
    const { fromMs, toMs } = this.session.watchedAxis.range;
    const range = { fromMs: Math.floor(fromMs), toMs: Math.ceil(toMs) };
    const saved = await this.notices.attempt(() => this.engine.call('watch.save', range));
    this.isSavingRange = false;
    if (!saved) return;
    await this.displayed.open(saved.run);
    this.notices.done('The range is a run now, with reports and comparison; it is in Runs.');
  }

  /** Asks for a file; returns the imported run. */
  async chooseRun(): Promise<ImportedRun | undefined> {
    return (await this.notices.attempt(() => this.shell.call('shell.openRun', {}))) ?? undefined;
  }

  async importDropped(file: File): Promise<ImportedRun | undefined> {
    return this.notices.attempt(() => this.shell.importDropped(file));
  }

  /** Reports the import of a run that already exists, and shows its added notes. */
  async reportImport({ id, outcome }: ImportedRun): Promise<void> {
    if (outcome === undefined) return;
    this.notices.done(outcome);
    for (const record of this.displayed.recordsOf(id)) {
      const saved = await this.notices.attempt(() => this.engine.call('runs.open', { run: id }));
      if (saved) record.events = saved.events;
    }
  }
}

/** Sends the chart layout of the active run to the engine: its file and report follow the displayed charts. */
class LayoutSync {
  /** The active run and the layout last sent to it. */
  #sent: { readonly run: string; readonly layout: ChartLayout } | undefined;

  constructor(
    private readonly engine: WindowClient,
    private readonly preferences: Preferences,
    private readonly notices: Notices,
  ) {}

  send(run: string): void {
    const { layouts } = this.preferences;
    const known = this.#sent?.run === run ? this.#sent.layout : defaultLayout;
    if (known === layouts.current) return;
    this.#sent = { run, layout: layouts.current };
    void this.notices.attempt(() => this.engine.call('runs.setLayout', { run, layout: layouts.inUse }));
  }
}
