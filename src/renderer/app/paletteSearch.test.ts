import { expect, it, onTestFinished } from 'vitest';
import type { ShellApi } from '../../contract/shell';
import type { RunView } from '../../domain/model/run';
import { findCommands } from '../ui/commands/commands';
import { AppStore } from './appStore.svelte';
import { appCommands, type WindowActions } from './appCommands';
import { FakeClient } from '../../../tests/support/fakeClient';
import { Notices } from '../ui/notices/notices.svelte';
import { Layouts } from '../charts/layouts.svelte';
import type { Preferences } from '../parts/preferences.svelte';
import { commandsWithSynonyms } from '../ui/commands/synonyms';

const run = {
  id: 'a',
  name: 'Monday',
  plan: { name: 'Monday', nodes: {}, pull: { by: [], from: 'lab', viewers: 100 } },
  startedMs: 0,
  nodes: [],
  phases: [{ name: 'ramp', startMs: 0 }],
  failures: [],
  figures: { present: 0 },
  testerLimits: [],
};

/** The window's actual commands, during a run or after it. */
async function commandsOf(state: RunView['state']) {
  const engine = new FakeClient({
    'engine.state': () => ({
      ...{ version: '1', runsFolder: '', nodes: [], jobs: [], run: null, events: [], stills: [] },
    }),
    'runs.list': () => [],
    'runs.samples': () => ({ batch: { keys: [], key: [], timeMs: [], value: [] }, nextMs: null }),
    'runs.stopAll': () => ({ present: 0 }),
  });
  const shell = { call: () => Promise.resolve(null), on: () => () => undefined } as unknown as ShellApi;
  const app = new AppStore(engine, shell, { layouts: new Layouts(() => undefined) } as Preferences, new Notices());
  onTestFinished(() => app.dispose());
  await app.load();
  engine.push('run', { ...run, state: 'running' } as unknown as RunView);
  if (state === 'ended') engine.push('run', { ...run, state } as unknown as RunView);
  const act = { compare: () => undefined, startFirst: () => undefined } as unknown as WindowActions;
  return { commands: appCommands(app, act), engine };
}

it.each([
  ['running', 'stop', 'stop'],
  ['running', 'kill', 'forceStop'],
  ['running', 'abort', 'stop'],
  ['running', 'dark', 'theme'],
  ['running', 'theme', 'theme'],
  ['running', 'light mode', 'theme'],
  ['running', 'load test', 'pull'],
  ['running', 'ramp', 'pull'],
  ['running', 'virtual users', 'pull'],
  ['running', 'shortcuts', 'keys'],
  ['running', 'history', 'runs'],
  ['ended', 'snapshot', 'snapshot'],
  ['ended', 'redact', 'snapshot'],
  ['ended', 'breaking point', 'findLimit'],
  ['ended', 'rerun', 'again'],
  ['ended', 'load generator', 'addNode'],
] as const)('while %s, "%s" finds %s', async (state, text, id) => {
  const { commands } = await commandsOf(state);
  expect(findCommands(commands, text)[0]?.id).toBe(id);
});

it('finds exports by format, without false matches', async () => {
  const { commands } = await commandsOf('ended');
  expect(findCommands(commands, 'export').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['export', 'exportFile', 'exportCsv', 'snapshot']),
  );
  expect(findCommands(commands, 'bitcoin')).toEqual([]);
});

it('forces immediately by "Force stop"', async () => {
  const { commands, engine } = await commandsOf('running');
  findCommands(commands, 'kill')[0]?.run();
  expect(engine.asked.filter(({ name }) => name === 'runs.stopAll').map(({ input }) => input)).toEqual([
    { force: true },
  ]);
});

it('has synonyms of existing commands only', async () => {
  const { commands } = await commandsOf('ended');
  const known = new Set(commands.map(({ id }) => id));
  expect(commandsWithSynonyms.filter((id) => !known.has(id))).toEqual([]);
});
