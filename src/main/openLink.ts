import { basename } from 'node:path';
import { dialog, type BrowserWindow } from 'electron';
import { parseAppLink, type AppLink } from './appLink';
import { errorText } from '../domain/text/errorText';
import { readOpenedText, type OpenedText } from './openedText';

const buttons = ['Open', 'Cancel'] as const;

/** What opening a link does, once the user has agreed. */
export interface LinkActions {
  readonly openRun: (path: string) => void;
  /** Shows a plan in the Pull dialog; nothing is started. */
  readonly openPlan: (plan: OpenedText) => void;
  readonly problem: (sentence: string) => void;
}

/** Opens what a `fullhouse://` link names, after asking. */
export async function openLink(window: BrowserWindow, text: string, act: LinkActions): Promise<void> {
  try {
    const link = parseAppLink(text);
    if (!(await confirmLink(window, link))) return;
    if (link.kind === 'run') act.openRun(link.file);
    else act.openPlan(await readOpenedText(link.file));
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
