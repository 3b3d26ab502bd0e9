import { dialog, type BrowserWindow } from 'electron';
import type { ConsentItem } from '../domain/consent/consent';
import { consentPages } from '../domain/consent/consentPages';
import type { Plan } from '../domain/model/plan';
import { quoted } from '../domain/text/quoted';

/**
 * Asks whether to allow what a plan does outside of its run. The main process lists it in full, as the engine found it: a
 * page could show other things than it starts. What one message box can't show is split into several; only the last one
 * allows.
 */
export async function confirmHooks(window: BrowserWindow, plan: Plan, items: readonly ConsentItem[]): Promise<boolean> {
  const pages = consentPages(items);
  if (!pages)
    throw new Error(
      `What ${quoted(plan.name)} does outside of its run is too long to show here. ` +
        'Read the plan, and run it with npx --no-install fullhouse run PLAN.yaml --allow-hooks.',
    );
  for (const [place, page] of pages.entries()) {
    const next = place < pages.length - 1 ? 'Next' : 'Allow and start';
    if (!(await isAnswered(window, plan, { page, next, of: pages.length, place }))) return false;
  }
  return true;
}

interface Page {
  readonly page: string;
  readonly place: number;
  readonly of: number;
  /** The button that is not `Cancel`. */
  readonly next: string;
}

async function isAnswered(window: BrowserWindow, plan: Plan, { page, place, of, next }: Page): Promise<boolean> {
  const { schedule } = plan;
  const buttons = [next, 'Cancel'];
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Allow what this plan does',
    message: `Allow this in ${quoted(plan.name)}?` + (of > 1 ? ` Page ${place + 1} of ${of}` : ''),
    detail: [
      page,
      '',
      ...(schedule ? [`The plan is scheduled: ${schedule.repeat ?? 1} runs, all of this in each.`] : []),
      'This happens with your rights. Allow it only in a plan that you know.',
    ].join('\n'),
    buttons,
    defaultId: buttons.indexOf('Cancel'),
    cancelId: buttons.indexOf('Cancel'),
    noLink: true,
  });
  return response === buttons.indexOf(next);
}
