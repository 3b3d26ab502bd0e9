import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import { z } from 'zod';
import {
  shellBridge,
  shellEvents,
  type ShellCallName,
  type ShellEvents,
  type ShellInput,
  type ShellOutput,
} from '../contract/shell';
import type { ImportedRun } from '../contract/snapshotCalls';
import { isOwnPage } from './appPage';
import { errorText } from '../domain/text/errorText';

export type ShellHandlers = {
  [C in ShellCallName]: (input: ShellInput<C>) => Promise<ShellOutput<C>> | ShellOutput<C>;
};

const droppedPath = z.string().min(1).max(4096);

/** A page's request, answered as a value: Electron would prefix a thrown error with its own text. */
type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** Serves the page's calls. Sender and input are validated before a handler runs. */
export function serveBridge(
  page: WebContents,
  handlers: ShellHandlers,
  importRun: (path: string) => Promise<ImportedRun>,
): void {
  const mayCall = (event: IpcMainInvokeEvent): boolean => {
    const frame = event.senderFrame;
    return event.sender === page && frame !== null && frame.parent === null && isOwnPage(frame.url);
  };
  const answer = async (event: IpcMainInvokeEvent, act: () => Promise<unknown>): Promise<Answer> => {
    try {
      if (!mayCall(event)) throw new Error('This page may not call the app.');
      return { ok: true, value: await act() };
    } catch (error) {
      return { ok: false, message: errorText(error) };
    }
  };
  ipcMain.handle('shell', (event, name: unknown, input: unknown) =>
    answer(event, () => callShell(handlers, name, input)),
  );
  ipcMain.handle('shell-import-dropped', (event, path: unknown) =>
    answer(event, () => importRun(droppedPath.parse(path))),
  );
}

/** One call of `shellBridge`, from unvalidated name and input to a validated output. */
export async function callShell(handlers: ShellHandlers, name: unknown, input: unknown): Promise<unknown> {
  if (typeof name !== 'string' || !Object.hasOwn(shellBridge, name))
    throw new Error(`The app has no call "${String(name)}".`);
  const known = name as ShellCallName;
  const parsed = shellBridge[known].input.safeParse(input);
  if (!parsed.success) throw new Error(`${known}: ${z.prettifyError(parsed.error)}`);
  const handler = handlers[known] as (input: unknown) => unknown;
  return shellBridge[known].output.parse(await handler(parsed.data));
}

/** Sends the page an event, validated against the contract like every message between processes. */
export function sendToPage<E extends keyof ShellEvents>(page: WebContents, name: E, payload: ShellEvents[E]): void {
  if (!page.isDestroyed()) page.send('shell-event', name, shellEvents[name].parse(payload));
}
