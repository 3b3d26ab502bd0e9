import type { ShellEvents } from '../../contract/shell';
import type { ExportKind } from '../headline/exportKind';
import { isBuiltIn } from '../nodes/rowText';
import { splitButton } from '../limited/splitText';
import type { Command } from './commands';
import type { Desk } from './desk.svelte';
import type { Layouts } from './layouts.svelte';

/** What only the window itself can do: its views, dialogs and fields. */
export interface WindowActions {
  readonly showView: (view: 'console' | 'nodes' | 'runs') => void;
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
      | 'metrics',
  ) => void;
  readonly startNote: () => void;
  readonly keepStill: () => void;
  readonly focusFilter: () => void;
  /** Shows the nodes with the field for a new one. */
  readonly addNode: () => void;
  /** The same for a tester. */
  readonly addTester: () => void;
  /** Shows the nodes with this one chosen. */
  readonly showNode: (node: string) => void;
  readonly pull: () => void;
  /** The plan of the run on the screen, to be changed and pulled again. */
  readonly editPlan: () => void;
  readonly chooseRun: () => void;
  readonly toggleFullChart: () => void;
  readonly addChart: () => void;
  readonly showSeries: () => void;
  readonly openRun: (run: string) => void;
  /** Holds the selected runs against each other; present while kept runs are shown. */
  readonly compare?: () => void;
  /** Present while the first start is offered. */
  readonly startFirst?: () => void;
}

/** Which command an entry of the menu is. */
export const commandOfMenu: Readonly<Record<ShellEvents['menu'], string>> = {
  pull: 'pull',
  publish: 'publish',
  stopAll: 'stop',
  openRun: 'open',
  export: 'export',
  note: 'note',
  still: 'still',
  live: 'live',
  zoomReset: 'reset',
  toggleTheme: 'theme',
  toggleUtc: 'zone',
  console: 'console',
  nodes: 'nodes',
  addNode: 'addNode',
  runs: 'runs',
  keys: 'keys',
  settings: 'settings',
};

type Rest = Partial<Pick<Command, 'caps' | 'isEnabled' | 'isKeyOnly'>>;

/** Everything the window can be told to do at this moment. */
export function deskCommands(desk: Desk, act: WindowActions): readonly Command[] {
  const { axis, isolation, preferences, session, record } = desk;
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
  const exportAs = (kind: ExportKind) => (): void => {
    if (record) void desk.exportRun(record.run, kind);
  };
  const canExport = record !== undefined;
  const keyOnly = { isKeyOnly: true };
  return [
    run('first', 'Start the lab and pull 100', ['Enter'], () => act.startFirst?.(), {
      isEnabled: act.startFirst !== undefined,
    }),
    run('pull', 'Pull viewers', ['p'], act.pull, { caps: 'P' }),
    run(
      'preflight',
      'Preflight: look at origin and testers before the load',
      ['k'],
      () => act.openDialog('preflight'),
      {
        caps: 'K',
      },
    ),
    run('publish', 'Publish a stream', ['u'], () => act.openDialog('publish'), { caps: 'U' }),
    run('stop', 'Stop all', ['Ctrl+.'], () => desk.stopAll(), {
      caps: 'Esc Esc',
      isEnabled: session.isActive || desk.stopping.isAsked,
    }),
    run('forceStop', 'Force stop: disconnect all viewers at once', [], () => desk.stopAll(true), {
      isEnabled: session.isActive || desk.stopping.isAsked,
    }),
    run('again', 'Run again as is', [], () => void (record && desk.start(record.run.plan)), {
      isEnabled: desk.hasEnded && !record?.run.imported && !session.isLive && !desk.isStarting,
    }),
    run('editPlan', 'Change the plan of this run', ['a'], act.editPlan, {
      caps: 'A',
      isEnabled: desk.hasEnded,
    }),
    splitCommand(desk, act),
    run('note', 'Note at this moment', ['m'], act.startNote, {
      caps: 'M',
      isEnabled: isLiveShown || (record !== undefined && desk.hasEnded),
    }),
    run('still', 'Keep a still of the picture', ['s'], act.keepStill, { caps: 'S', isEnabled: isLiveShown }),
    run('viewers', 'List the viewers', ['v'], () => act.openDialog('viewers'), {
      caps: 'V',
      isEnabled: isLiveShown || (desk.hasEnded && !record?.run.imported),
    }),
    run('estimate', 'Estimate larger audiences', ['e'], () => act.openDialog('estimate'), {
      caps: 'E',
      isEnabled: record !== undefined,
    }),
    run('findLimit', 'Find the limit with the plan of this run', [], () => void desk.findLimit(), {
      isEnabled: desk.hasEnded && !session.isLive && !desk.isStarting,
    }),
    run('export', 'Export the report', ['Ctrl+e'], exportAs('html'), {
      caps: 'Ctrl E',
      isEnabled: canExport,
    }),
    run('exportFile', 'Export the run file', [], exportAs('fullhouse'), { isEnabled: canExport }),
    run('exportCsv', 'Export the samples as CSV', [], exportAs('csv'), { isEnabled: canExport }),
    run('exportPdf', 'Print the report to PDF', [], exportAs('pdf'), { isEnabled: canExport }),
    run('snapshot', 'Snapshot for support', [], exportAs('snapshot'), { isEnabled: canExport }),

    charts('live', 'Follow live', ['l'], () => axis.follow(), { caps: 'L', isEnabled: isLiveShown }),
    charts('reset', 'Show the whole run', ['z'], () => axis.show('run'), { caps: 'Z', ...withRun }),
    charts('zoomIn', 'Zoom in', ['+', '='], () => axis.zoomIn(), { caps: '+', ...withRun }),
    charts('zoomOut', 'Zoom out', ['-'], () => axis.zoomOut(), { caps: '−', ...withRun }),
    charts('back', 'Crosshair one second back', ['['], () => axis.stepCursor(-1), {
      caps: '[',
      ...keyOnly,
      ...withRun,
    }),
    charts('on', 'Crosshair one second on', [']'], () => axis.stepCursor(1), {
      caps: ']',
      ...keyOnly,
      ...withRun,
    }),
    charts('backMark', 'Crosshair to the mark before', ['{'], () => axis.stepToMark(marksMs, -1), {
      caps: 'Shift [',
      ...withRun,
    }),
    charts('onMark', 'Crosshair to the next mark', ['}'], () => axis.stepToMark(marksMs, 1), {
      caps: 'Shift ]',
      ...withRun,
    }),
    charts('full', 'One chart in full, or all', ['f'], act.toggleFullChart, { caps: 'F' }),
    charts('series', 'Table of all series', ['w'], act.showSeries, { caps: 'W' }),
    charts('addChart', 'Add chart', ['g'], act.addChart, { caps: 'G' }),
    ...layoutCommands(preferences.layouts, charts),
    ...nodeCommands(desk, charts),
    charts('all', 'Show all nodes', ['0'], () => isolation.showAll(), { caps: '0' }),

    window('console', 'Go to the console', [], () => act.showView('console')),
    window('nodes', 'Go to the nodes', [], () => act.showView('nodes')),
    window('addNode', 'Add a node', ['n'], act.addNode, { caps: 'N' }),
    window('runs', 'Go to the kept runs', [], () => act.showView('runs')),
    window('open', 'Open a .fullhouse run', ['Ctrl+o'], act.chooseRun, { caps: 'Ctrl O' }),
    window('import', 'Import from a Prometheus', [], () => act.openDialog('import')),
    window('metrics', 'Offer figures to a Prometheus, and Grafana', [], () => act.openDialog('metrics')),
    window('filter', 'Filter nodes, streams or runs', ['/'], act.focusFilter, { caps: '/' }),
    window('compare', 'Compare the selected runs', ['c'], () => act.compare?.(), {
      caps: 'C',
      isEnabled: act.compare !== undefined,
    }),
    window('zone', 'Local time or UTC', ['t'], () => preferences.toggleTimeZone(), { caps: 'T' }),
    window('theme', 'Theme: dark or light', ['d'], () => preferences.toggleTheme(), { caps: 'D' }),
    window('palette', 'Go to, or do', ['Ctrl+k'], () => act.openDialog('palette'), {
      caps: 'Ctrl K',
      ...keyOnly,
    }),
    window('settings', 'Settings', ['Ctrl+,'], () => act.openDialog('settings'), { caps: 'Ctrl ,' }),
    window('keys', 'All keys', ['?'], () => act.openDialog('keys'), { caps: '?' }),
    ...session.nodes.map((node) =>
      window(`go ${node.id}`, `Go to node ${node.name}`, [], () => act.showNode(node.id)),
    ),
    ...session.nodes
      .filter((node) => !isBuiltIn(node))
      .map((node) =>
        window(`reconnect ${node.id}`, `Reconnect ${node.name}`, [], () => void desk.fleet.reconnect(node)),
      ),
    ...desk.runs.list
      .filter((kept) => kept.verdict !== 'damaged')
      .map((kept) => window(`run ${kept.id}`, `Open run ${kept.name}`, [], () => act.openRun(kept.id))),
  ];
}

/** What the button of the offer does; without anybody to help it leads to where a tester is added. */
function splitCommand(desk: Desk, act: WindowActions): Command {
  const { split } = desk;
  const [best] = split?.candidates ?? [];
  return {
    id: 'split',
    title: split ? splitButton(split, !desk.hasEnded) : 'Add one tester, and run again',
    // No single letter: it starts load at once.
    keys: ['Ctrl+Enter'],
    caps: 'Ctrl Enter',
    group: 'run',
    isEnabled:
      split !== undefined && !desk.isStarting && !desk.next && !(desk.hasEnded && desk.session.isLive),
    run: () => (best ? void desk.splitOver(best) : act.addTester()),
  };
}

/** One for each layout that can be used instead of the one in use. */
function layoutCommands(
  layouts: Layouts,
  command: (id: string, title: string, keys: readonly string[], run: () => void, rest?: Rest) => Command,
): readonly Command[] {
  return [
    command('layout default', 'Chart layout: reset to default', [], () => layouts.reset()),
    ...layouts.saved.map((each) =>
      command(`layout ${each.name}`, `Chart layout: ${each.name}`, [], () => layouts.use(each)),
    ),
  ];
}

function nodeCommands(
  desk: Desk,
  command: (id: string, title: string, keys: readonly string[], run: () => void, rest?: Rest) => Command,
): readonly Command[] {
  return desk.railNodes.slice(0, 9).map((node, index) =>
    command(
      `node ${node.id}`,
      `Isolate ${node.name}`,
      [String(index + 1)],
      () => desk.isolation.toggle(node.id, false),
      {
        caps: String(index + 1),
      },
    ),
  );
}
