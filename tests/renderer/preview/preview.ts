import '../../../src/renderer/client/zodWithoutEval';
import { settings, themes, type ShellApi, type ShellEvents } from '../../../src/contract/shell';
import type { WireMessage } from '../../../src/contract/wire';
import { scenarios } from '../../scenario';
import { serveFakeEngine } from '../fakeEngine';
import { spotCheckEvents } from '../fakeSpotChecks';
import { testPicture } from './testPicture';

/**
 * The window on a fake engine, in a browser: `?scenario=pull742&theme=light`. For development and for its tests;
 * `shift=` moves the scenario so that its last second is now, `spotChecks` adds some to its run.
 */
const query = new URLSearchParams(location.search);
const make = scenarios[query.get('scenario') ?? ''];
const made = make?.();
const scenario =
  made && query.has('spotChecks') ? { ...made, events: [...made.events, ...spotCheckEvents(made.startedMs)] } : made;
const theme = [...themes, 'system' as const].find((each) => each === query.get('theme')) ?? 'dark';

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

const shell: ShellApi = {
  call: ((name: string) =>
    Promise.resolve(
      name === 'shell.settings'
        ? settings.parse({ theme, timeZone: query.get('zone') ?? 'local' })
        : ['shell.copyText', 'shell.saveSettings', 'shell.showMenuKeys'].includes(name)
          ? { done: true }
          : name === 'shell.about'
            ? {
                version: '0.1.0',
                folders: {
                  runs: { path: '/home/qa/.config/Fullhouse/runs', isOwn: false },
                  exports: { path: '/home/qa/Downloads', isOwn: false },
                },
              }
            : name === 'shell.allowHooks'
              ? { allowed: true }
              : name === 'shell.captures'
                ? ['Editor', 'Terminal: ~/streams', 'Player'].map((title) => ({ id: title, name: title, thumbnail }))
                : null,
    )) as ShellApi['call'],
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
    idle: query.get('idle') === 'first' ? 'first' : 'watching',
    isConnecting: query.get('player') === 'connecting',
    kept: query.get('idle') === 'first' ? [] : undefined,
    stills: scenario
      ? await Promise.all(
          [
            { cause: 'saved', sinceStartMs: 42_000 },
            { cause: 'freeze 0.8 s', sinceStartMs: 106_000 },
            { cause: 'freeze 0.6 s', sinceStartMs: 118_000 },
          ].map(async (still) => ({ ...still, data: await testPicture() })),
        )
      : [],
  },
);

await import('../../../src/renderer/main');
window.postMessage('fullhouse-engine-port', location.origin, [port2]);
