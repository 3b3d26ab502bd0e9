import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { dialog, type BrowserWindow } from 'electron';
import { maxTextLength } from '../contract/shell';
import { parseAppLink, type AppLink } from './appLink';
import { errorText } from '../domain/text/errorText';

const buttons = ['Open', 'Cancel'] as const;

/** What opening a link does, once the user has agreed. */
export interface LinkActions {
  readonly openRun: (path: string) => void;
  /** Shows a plan in the Pull dialog; nothing is started. */
  readonly openPlan: (plan: { readonly name: string; readonly text: string }) => void;
  readonly problem: (sentence: string) => void;
}

/** Opens what a `fullhouse://` link names, after asking. */
export async function openLink(window: BrowserWindow, text: string, act: LinkActions): Promise<void> {
  try {
    const link = parseAppLink(text);
    if (!(await confirmLink(window, link))) return;
    if (link.kind === 'run') act.openRun(link.file);
    else act.openPlan({ name: basename(link.file), text: await readPlan(link.file) });
  } catch (error) {
    act.problem(errorText(error));
  }
}

/** Asks in the main process: a page could show another path than it opens. */
async function confirmLink(window: BrowserWindow, { kind, file }: AppLink): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: `Open ${kind}`,
    message: `Open the ${kind} "${basename(file)}"?`,
    detail: `${file}\n\nA link outside Fullhouse requests this. Nothing is started: the ${kind} is only shown.`,
    buttons: [...buttons],
    defaultId: buttons.indexOf('Cancel'),
    cancelId: buttons.indexOf('Cancel'),
    noLink: true,
  });
  return buttons[response] === 'Open';
}

async function readPlan(file: string): Promise<string> {
  const unreadable = (reason: string): Error => new Error(`The plan ${file} was not opened: ${reason}.`);
  const handle = await open(file, 'r').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw unreadable(code === 'ENOENT' ? 'the file does not exist' : `it cannot be read (${code ?? 'unknown error'})`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw unreadable('it is not a file');
    if (stat.size > maxTextLength) throw unreadable('it is larger than 1 MB');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
