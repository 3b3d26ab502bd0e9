import { contextBridge, ipcRenderer, webUtils } from 'electron';

/**
 * The entire bridge: `window.fullhouse` as declared in `contract/shell.ts`, and the engine's port. Main validates all
 * input.
 */

type Answer = { ok: true; value: unknown } | { ok: false; message: string };

async function ask(channel: string, ...args: unknown[]): Promise<unknown> {
  const answer = (await ipcRenderer.invoke(channel, ...args)) as Answer;
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
}

/** Electron 22 puts the path on each file; later versions have a function for it. */
const olderPath = Object.getOwnPropertyDescriptor(File.prototype, 'path');

/**
 * The path of a file that the user has dropped or chosen. Only the system gives a file its path: one created by a page
 * has none, and anything else throws.
 */
function pathOf(file: File): string {
  try {
    const path: unknown = olderPath ? olderPath.get?.call(file) : webUtils.getPathForFile(file);
    if (typeof path === 'string' && path !== '') return path;
  } catch {
    // Not a file; the sentence is the same.
  }
  throw new Error('This is not a file of this machine. Drop a file from a folder.');
}

const listeners = new Map<string, Set<(payload: unknown) => void>>();
ipcRenderer.on('shell-event', (_event, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

const api = {
  call: (name: string, input: unknown) => ask('shell', name, input),
  on: (name: string, listener: (payload: unknown) => void) => {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set.add(listener));
    return () => {
      set.delete(listener);
    };
  },
  importDropped: async (file: File) => ask('shell-import-dropped', pathOf(file)),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('fullhouse', api);

// A port cannot cross the bridge as a value; it is sent to the page as a message of the window.
ipcRenderer.on('engine-port', (event) => {
  window.postMessage('fullhouse-engine-port', window.location.origin, event.ports);
});
