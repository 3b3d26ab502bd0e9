import type { MenuEntry, MenuKeys } from '../../contract/shell';
import type { ExportKind } from '../parts/run/exportKind';
import { isBuiltIn } from '../parts/nodes/rowText';
import { splitButton } from '../parts/run/splitText';
import type { Command } from '../ui/commands/commands';
import type { AppStore } from './appStore.svelte';
import type { WatchView } from '../features/watch/fleetWatch.svelte';
import type { Layouts } from '../charts/layouts.svelte';
import { chartsOfManyLines, pointedChart } from '../charts/pointedChart';
import { isWithoutLoad } from '../../domain/model/withoutLoad';

/** Actions of the window: views, dialogs and fields. */
export interface WindowActions {
  readonly showView: (view: 'console' | 'nodes' | 'runs') => void;
  readonly toggleWallMode: () => void;
  /** Shows charts, nodes or streams of the watched fleet. */
  readonly watch: (view: WatchView) => void;
  readonly openDialog: (
    dialog:
      | 'pull'
      | 'publish'
      | 'preflight'
      | 'keys'
      | 'palette'
      | 'settings'
      | 'viewers'
      | 'estimate'
      | 'import'
      | 'metrics'
      | 'multiview'
      | 'spotCheck'
      | 'delay'
      | 'clockPage'
      | 'about',
  ) => void;
  readonly showAlertRules: () => void;
  readonly startNote: () => void;
  readonly saveStill: () => void;
  readonly saveClip: () => void;
  readonly focusFilter: () => void;
  /** Shows the nodes with the field for a new one. */
  readonly addNode: () => void;
  /** Opens the form of a new tester. */
  readonly addTester: () => void;
  /** Shows the nodes with this one selected. */
  readonly showNode: (node: string) => void;
  readonly pull: () => void;
  /** Opens the displayed run's plan for editing. */
  readonly editPlan: () => void;
  readonly chooseRun: () => void;
  readonly toggleFullChart: () => void;
  readonly addChart: () => void;
  readonly showSeries: () => void;
  readonly openRun: (run: string) => void;
  /** Present in the console: lists have the same key. */
  readonly spotCheck?: () => void;
  /** Compares the selected runs; present in the runs view. */
  readonly compare?: () => void;
  /** Present while the first start is offered. */
  readonly startFirst?: () => void;
}

/** Command of each menu entry. */
export const commandOfMenu: Readonly<Record<MenuEntry, string>> = {
  pull: 'pull',
  publish: 'publish',
  stopAll: 'stop',
  openRun: 'open',
  export: 'export',
  note: 'note',
  still: 'still',
  clip: 'clip',
  spotCheck: 'spotCheck',
  live: 'live',
  pause: 'pause',
  zoomReset: 'reset',
  toggleTheme: 'theme',
  toggleUtc: 'zone',
  console: 'console',
  nodes: 'nodes',
  addNode: 'addNode',
  runs: 'runs',
  keys: 'keys',
  settings: 'settings',
  about: 'about',
};

/** The keys that the menu shows: those that commands have now. */
export function menuKeysOf(commands: readonly Command[]): MenuKeys {
  const keys: MenuKeys = {};
  for (const [entry, id] of Object.entries(commandOfMenu) as [MenuEntry, string][]) {
    const key = commands.find((command) => command.id === id)?.keys[0];
    if (key !== undefined) keys[entry] = key;
  }
  return keys;
}

type Rest = Partial<Pick<Command, 'caps' | 'dialogCaps' | 'isEnabled' | 'isKeyOnly'>>;

/** All commands of the window in its current state. */
export function appCommands(app: AppStore, act: WindowActions): readonly Command[] {
  const { preferences, session } = app;
  const { axis, isolation, record } = app.displayed;
  const isLiveShown = record !== undefined && record === session.record && session.isLive;
  const marksMs = (record?.events ?? [])
    .filter((event) => event.mark !== 'none')
    .map((event) => event.timeMs - (record?.run.startedMs ?? 0));
  const of =
    (group: Command['group']) =>
    (id: string, title: string, keys: readonly string[], run: () => void, rest: Rest = {}): Command => ({
      id,
      title,
      keys,
      group,
      run,
      isEnabled: true,
      ...rest,
    });
  const [run, charts, window] = [of('run'), of('charts'), of('window')];
  const withRun = { isEnabled: record !== undefined };
  const isWatching = record === undefined && app.displayed.hasData;
  const withAxis = { isEnabled: record !== undefined || isWatching };
  const exportAs = (kind: ExportKind) => (): void => {
    if (record) void app.files.exportRun(record.run, kind);
  };
  const canExport = record !== undefined;
  const isDataAlone = record !== undefined && isWithoutLoad(record.run);
  const keyOnly = { isKeyOnly: true };
  return [
    run('first', 'Start the lab and pull viewers', ['Enter'], () => act.startFirst?.(), {
      isEnabled: act.startFirst !== undefined,
    }),
    run('pull', 'Pull viewers', ['p'], act.pull, { caps: 'P' }),
    run('preflight', 'Preflight: check origin and testers before the load', ['k'], () => act.openDialog('preflight'), {
      caps: 'K',
    }),
    run('publish', 'Publish a stream', ['u'], () => act.openDialog('publish'), { caps: 'U' }),
    run('stop', 'Stop all', ['Ctrl+.'], () => app.stopAll(), {
      caps: 'Esc Esc',
      dialogCaps: 'Ctrl .',
      isEnabled: session.isActive || app.stopping.isRequested,
    }),
    run('forceStop', 'Force stop: disconnect all viewers at once', [], () => app.stopAll(true), {
      isEnabled: session.isActive || app.stopping.isRequested,
    }),
    run('again', 'Run again as is', [], () => void app.starting.again(), {
      isEnabled: app.displayed.hasEnded && !isDataAlone && !session.isLive && !app.starting.isStarting,
    }),
    run('editPlan', 'Edit plan of this run', ['a'], act.editPlan, {
      caps: 'A',
      isEnabled: app.displayed.hasEnded,
    }),
    splitCommand(app, act),
    run('note', 'Add note', ['m'], act.startNote, {
      caps: 'M',
      isEnabled: isLiveShown || (record !== undefined && app.displayed.hasEnded),
    }),
    run('still', 'Save still', ['s'], act.saveStill, { caps: 'S', isEnabled: isLiveShown }),
    run('clip', 'Save clip: the last 10 s of the control player', [], act.saveClip, { isEnabled: isLiveShown }),
    run('multiview', 'Multiview: several players side by side', ['i'], () => act.openDialog('multiview'), {
      caps: 'I',
    }),
    run('spotCheck', 'Spot check: rate the picture before the figures', ['b'], () => act.spotCheck?.(), {
      caps: 'B',
      isEnabled: isLiveShown && act.spotCheck !== undefined,
    }),
    run('delay', 'Delay test: glass to glass by protocol', ['y'], () => act.openDialog('delay'), { caps: 'Y' }),
    run('clockPage', 'Clock page: delay of any encoder', [], () => act.openDialog('clockPage')),
    run('viewers', 'List viewers', ['v'], () => act.openDialog('viewers'), {
      caps: 'V',
      isEnabled: isLiveShown || (app.displayed.hasEnded && !isDataAlone),
    }),
    run('estimate', 'Capacity estimate', ['e'], () => act.openDialog('estimate'), {
      caps: 'E',
      isEnabled: record !== undefined,
    }),
    run('saveRange', 'Save the visible range as a run', [], () => void app.saveRange(), {
      isEnabled: record === undefined && app.displayed.hasData && !app.isSavingRange,
    }),
    run('findLimit', 'Find the limit with the plan of this run', [], () => void app.starting.findLimit(), {
      isEnabled: app.displayed.hasEnded && !session.isLive && !app.starting.isStarting,
    }),
    run('export', 'Export report', ['Ctrl+e'], exportAs('html'), {
      caps: 'Ctrl E',
      isEnabled: canExport,
    }),
    run('exportFile', 'Export run file', [], exportAs('fullhouse'), { isEnabled: canExport }),
    run('exportCsv', 'Export samples as CSV', [], exportAs('csv'), { isEnabled: canExport }),
    run('exportPdf', 'Print report to PDF', [], exportAs('pdf'), { isEnabled: canExport }),
    run('snapshot', 'Snapshot for support', [], exportAs('snapshot'), { isEnabled: canExport }),

    charts('live', 'Follow live', ['l'], () => app.resume(), { caps: 'L', isEnabled: isLiveShown || isWatching }),
    charts('pause', 'Pause or resume live updates', ['h'], () => app.togglePause(), {
      caps: 'H',
      isEnabled: session.isPaused || isLiveShown || isWatching,
    }),
    charts('reset', isWatching ? 'Show everything watched' : 'Show full run', ['z'], () => axis.show('run'), {
      caps: 'Z',
      ...withAxis,
    }),
    charts('zoomIn', 'Zoom in', ['+', '='], () => axis.zoomIn(), { caps: '+', ...withAxis }),
    charts('zoomOut', 'Zoom out', ['-'], () => axis.zoomOut(), { caps: '−', ...withAxis }),
    charts('back', 'Crosshair one second back', ['['], () => axis.stepCursor(-1), {
      caps: '[',
      ...keyOnly,
      ...withAxis,
    }),
    charts('on', 'Crosshair one second forward', [']'], () => axis.stepCursor(1), {
      caps: ']',
      ...keyOnly,
      ...withAxis,
    }),
    charts('backMark', 'Crosshair to the previous mark', ['{'], () => axis.stepToMark(marksMs, -1), {
      caps: 'Shift [',
      ...withRun,
    }),
    charts('onMark', 'Crosshair to the next mark', ['}'], () => axis.stepToMark(marksMs, 1), {
      caps: 'Shift ]',
      ...withRun,
    }),
    charts('full', 'Toggle full-size chart', ['f'], act.toggleFullChart, { caps: 'F' }),
    charts('band', 'Toggle mean and band of charts with many lines', ['r'], () => toggleBand(preferences.layouts), {
      caps: 'R',
    }),
    charts('series', 'Table of all series', ['w'], act.showSeries, { caps: 'W' }),
    charts('addChart', 'Add chart', ['g'], act.addChart, { caps: 'G' }),
    ...layoutCommands(preferences.layouts, charts),
    ...nodeCommands(app, charts),
    charts('all', 'Show all nodes', ['0'], () => isolation.showAll(), { caps: '0' }),

    window('console', 'Go to console', [], () => act.showView('console')),
    ...(['charts', 'nodes', 'streams'] as const).map((view) =>
      window(`watch ${view}`, `Watch ${view} of the fleet`, [], () => act.watch(view), {
        isEnabled: record === undefined,
      }),
    ),
    window('nodes', 'Go to nodes', [], () => act.showView('nodes')),
    window('wallMode', 'Wall mode: the fleet in large figures, full screen', ['F9'], act.toggleWallMode, {
      caps: 'F9',
    }),
    window('addNode', 'Add node', ['n'], act.addNode, { caps: 'N' }),
    window('runs', 'Go to runs', [], () => act.showView('runs')),
    window('open', 'Open a .fullhouse run', ['Ctrl+o'], act.chooseRun, { caps: 'Ctrl O' }),
    window('import', 'Import from Prometheus', [], () => act.openDialog('import')),
    window('metrics', 'Serve metrics for Prometheus and Grafana', [], () => act.openDialog('metrics')),
    window('filter', 'Filter nodes, streams or runs', ['/'], act.focusFilter, { caps: '/' }),
    window('compare', 'Compare selected runs', ['c'], () => act.compare?.(), {
      caps: 'C',
      isEnabled: act.compare !== undefined,
    }),
    window('zone', 'Local time or UTC', ['t'], () => preferences.toggleTimeZone(), { caps: 'T' }),
    window('theme', 'Theme: dark, light or high contrast', ['d'], () => preferences.toggleTheme(), { caps: 'D' }),
    window('palette', 'Search commands', ['Ctrl+k'], () => act.openDialog('palette'), {
      caps: 'Ctrl K',
      ...keyOnly,
    }),
    window('alertRules', 'Alert rules: what is reported, and how', [], () => act.showAlertRules()),
    window('settings', 'Settings', ['Ctrl+,'], () => act.openDialog('settings'), { caps: 'Ctrl ,' }),
    window('diagnostics', 'Save diagnostics', [], () => void app.files.saveDiagnostics()),
    window('crashFiles', 'Show crash files', [], () => void app.files.showCrashFiles()),
    window('keys', 'Keyboard shortcuts', ['?'], () => act.openDialog('keys'), { caps: '?' }),
    window('about', 'About and third-party notices', [], () => act.openDialog('about')),
    ...session.nodes.map((node) => window(`go ${node.id}`, `Go to node ${node.name}`, [], () => act.showNode(node.id))),
    ...session.nodes
      .filter((node) => !isBuiltIn(node))
      .map((node) =>
        window(`reconnect ${node.id}`, `Reconnect ${node.name}`, [], () => void app.fleet.reconnect(node)),
      ),
    ...app.runs.saved.list
      .filter((savedRun) => savedRun.verdict !== 'damaged')
      .map((savedRun) => window(`run ${savedRun.id}`, `Open run ${savedRun.name}`, [], () => act.openRun(savedRun.id))),
  ];
}

/** Action of the split button; without a candidate it opens the dialog that adds a tester. */
function splitCommand(app: AppStore, act: WindowActions): Command {
  const { split } = app.starting;
  const [best] = split?.candidates ?? [];
  return {
    id: 'split',
    title: split ? splitButton(split, !app.displayed.hasEnded) : 'Add one tester and run again',
    // No single letter: it starts load immediately.
    keys: ['Ctrl+Enter'],
    caps: 'Ctrl Enter',
    group: 'run',
    isEnabled:
      split !== undefined &&
      !app.starting.isStarting &&
      !app.starting.next &&
      !(app.displayed.hasEnded && app.session.isLive),
    run: () => (best ? void app.starting.splitOver(best) : act.addTester()),
  };
}

/** Of the chart under the pointer, else of all; a chart of few lines has no band. */
function toggleBand(layouts: Layouts): void {
  const pointed = pointedChart();
  const { banded = [] } = layouts.current;
  const charts = chartsOfManyLines().filter((chart) => pointed === undefined || chart === pointed);
  if (charts.length > 0) layouts.band(charts, !charts.some((chart) => banded.includes(chart)));
}

/** One for each layout other than the current one. */
function layoutCommands(
  layouts: Layouts,
  command: (id: string, title: string, keys: readonly string[], run: () => void, rest?: Rest) => Command,
): readonly Command[] {
  return [
    command('layout default', 'Chart layout: reset to default', [], () => layouts.reset()),
    ...layouts.saved.map((layout) =>
      command(`layout ${layout.name}`, `Chart layout: ${layout.name}`, [], () => layouts.use(layout)),
    ),
  ];
}

function nodeCommands(
  app: AppStore,
  command: (id: string, title: string, keys: readonly string[], run: () => void, rest?: Rest) => Command,
): readonly Command[] {
  return app.displayed.sidebarNodes.slice(0, 9).map((node, index) =>
    command(
      `node ${node.id}`,
      `Isolate ${node.name}`,
      [String(index + 1)],
      () => app.displayed.isolation.toggle(node.id, false),
      {
        caps: String(index + 1),
      },
    ),
  );
}
