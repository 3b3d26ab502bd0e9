import { parseWithoutEval } from '../../../src/renderer/client/zodWithoutEval';
import { noticesText } from '../../../scripts/notices/document.mjs';
import { settings, themes, type ShellApi, type ShellEvents } from '../../../src/contract/shell';
import type { UpdateState } from '../../../src/contract/updateCalls';
import type { WireMessage } from '../../../src/contract/wire';
import { scenarios } from '../../scenario';
import { watchedFleet } from '../../scenario/watched';
import { runsWhile } from '../savedRuns';
import { foreignPlan } from '../foreignPlan';
import { sampleIncidents } from '../fakeIncidents';
import { serveFakeEngine } from '../fakeEngine';
import { spotCheckEvents } from '../fakeSpotChecks';
import { testPicture } from './testPicture';

parseWithoutEval();

/**
 * The window on a fake engine, in a browser: `?scenario=pull742&theme=light`. For development and for its tests;
 * `shift=` moves the scenario so that its last second is now, `spotChecks` adds some to its run, `throwIn=` lets one pane
 * fail (`charts`, `settings`); `foreign`: saved runs were recorded elsewhere; `player=playing`: the control player shows
 * the test pattern, `player=connecting`: it waits. `watch=20`: as many nodes without a run, whose samples continue;
 * `now=` sets the clock (ISO 8601), `minutes=` how long they have been watched; `incidents`: some are listed without a
 * run; `delay=running` or `delay=done`: a delay test.
 */
const query = new URLSearchParams(location.search);
const make = scenarios[query.get('scenario') ?? ''];
const watchedCount = Number(query.get('watch'));
if (query.has('now')) {
  const aheadMs = Date.parse(query.get('now') ?? '') - Date.now();
  const { now } = Date;
  Date.now = () => now() + aheadMs;
}
const made = watchedCount
  ? watchedFleet(watchedCount, Math.floor(Date.now() / 1000) * 1000, Number(query.get('minutes') ?? 20) * 60_000)
  : make?.();
const scenario =
  made && query.has('spotChecks') ? { ...made, events: [...made.events, ...spotCheckEvents(made.startedMs)] } : made;
const theme = [...themes, 'system' as const].find((theme) => theme === query.get('theme')) ?? 'dark';

if (scenario && !scenario.ended) {
  // The scenario is static at its last second.
  const now = scenario.startedMs + scenario.lengthMs;
  Date.now = () => now;
}

/** Events from the main process; tests send them with `window.sendShellEvent`. */
const listeners = new Map<string, (payload: never) => void>();
function sendShellEvent<E extends keyof ShellEvents>(name: E, payload: ShellEvents[E]): void {
  (listeners.get(name) as ((payload: ShellEvents[E]) => void) | undefined)?.(payload);
}
Object.defineProperty(window, 'sendShellEvent', { value: sendShellEvent });

/** One grey pixel. */
const thumbnail = 'data:image/gif;base64,R0lGODlhAQABAIAAAICAgP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';

const notices = noticesText('Fullhouse 0.1.0', [
  {
    title: 'In the app',
    components: [
      {
        name: 'chart.js',
        version: '4.6.1',
        licence: 'MIT',
        texts: ['The MIT License (MIT)\n\nCopyright (c) 2014-2026'],
      },
      { name: 'hls.js', version: '1.7.4', licence: 'Apache-2.0', texts: ['Apache License\nVersion 2.0, January 2004'] },
      { name: 'Inter (font)', licence: 'OFL-1.1', texts: ['SIL OPEN FONT LICENSE Version 1.1'] },
    ],
  },
  {
    title: 'In the agent',
    components: [{ name: 'github.com/pion/webrtc/v4', version: 'v4.2.15', texts: ['MIT License'] }],
  },
]);

const updates: UpdateState = { current: '0.1.0', isOffline: false, phase: 'idle' };

/** Charts fail without their canvas until `window.repair()`. */
const canvas = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'getContext');
function repair(): void {
  if (canvas) Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', canvas);
}
if (query.get('throwIn') === 'charts')
  HTMLCanvasElement.prototype.getContext = () => {
    throw new Error('No canvas.');
  };
/** Texts that the window sent to the log. */
const shellLog: string[] = [];
/** Starts that the window asked for: the addresses of new nodes that it allowed. */
const starts: Array<readonly string[]> = [];
Object.assign(window, { repair, shellLog, starts });

const answers: Readonly<Record<string, unknown>> = {
  'shell.settings': settings.parse({ theme, timeZone: query.get('zone') ?? 'local' }),
  'shell.copyText': { done: true },
  'shell.wallMode': { done: true },
  'shell.saveSettings': { done: true },
  'shell.showMenuKeys': { done: true },
  'shell.about': {
    version: '0.1.0',
    runtime: { electron: '45.4.1', chromium: '156.0.7100.50' },
    folders: {
      runs: { path: '/home/qa/.config/Fullhouse/runs', isOwn: false },
      exports: { path: '/home/qa/Downloads', isOwn: false },
    },
  },
  'shell.notices': { text: notices },
  'shell.allowHooks': { allowed: true },
  'shell.allowAlerts': { allowed: true },
  'shell.updates': updates,
  'shell.captures': ['Editor', 'Terminal: ~/streams', 'Player'].map((title) => ({ id: title, name: title, thumbnail })),
};

const shell: ShellApi = {
  call: ((name: string, input: { text?: string }) => {
    if (name === 'shell.log') shellLog.push(input.text ?? '');
    // Malformed: the real shell's answers are validated.
    if (name === 'shell.about' && query.get('throwIn') === 'settings') return Promise.resolve({ version: '0.1.0' });
    return Promise.resolve(answers[name] ?? null);
  }) as ShellApi['call'],
  on: (name, listener) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
  importDropped: () => Promise.reject(new Error('The preview imports nothing.')),
  platform: 'linux',
};
Object.defineProperty(window, 'fullhouse', { value: shell });

const { port1, port2 } = new MessageChannel();
serveFakeEngine(
  {
    send: (message: WireMessage) => port1.postMessage(message),
    onMessage: (listener) => {
      port1.onmessage = (event) => listener(event.data);
    },
  },
  {
    scenario,
    isWatched: watchedCount > 0,
    idle: query.get('idle') === 'first' ? 'first' : 'watching',
    incidents: query.has('incidents') ? sampleIncidents(Date.now()) : [],
    foreignPlan: query.has('foreign') ? foreignPlan : undefined,
    onStart: (allowNodes) => starts.push(allowNodes),
    delay: (['running', 'done'] as const).find((state) => state === query.get('delay')),
    player: (['connecting', 'playing'] as const).find((state) => state === query.get('player')),
    kept: query.get('idle') === 'first' ? [] : scenario && watchedCount > 0 ? runsWhile(scenario) : undefined,
    stills: scenario
      ? await Promise.all(
          [
            { cause: 'saved', sinceStartMs: 42_000 },
            { cause: 'stall 0.8 s', sinceStartMs: 106_000 },
            { cause: 'stall 0.6 s', sinceStartMs: 118_000 },
          ].map(async (still) => ({ ...still, data: await testPicture() })),
        )
      : [],
  },
);

await import('../../../src/renderer/main');
window.postMessage('fullhouse-engine-port', location.origin, [port2]);
