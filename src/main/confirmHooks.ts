import { dialog, type BrowserWindow } from 'electron';
import type { ConsentItem } from '../domain/consent/consent';
import { consentPages } from '../domain/consent/consentPages';
import type { Plan } from '../domain/model/plan';
import { quoted } from '../domain/text/quoted';

/** What a dialog says around the items. */
interface Words {
  readonly title: string;
  readonly message: string;
  /** The button that allows. */
  readonly allow: string;
  /** Below the items. */
  readonly notes: readonly string[];
  /** Instead of a dialog that would be too long to be read. */
  readonly tooLong: string;
}

/**
 * Asks whether to allow what a plan does outside of its run. The main process lists it in full, as the engine found it: a
 * page could show other things than it starts. What one message box can't show is split into several; only the last one
 * allows.
 */
export function confirmHooks(window: BrowserWindow, plan: Plan, items: readonly ConsentItem[]): Promise<boolean> {
  const { schedule } = plan;
  return isAllowed(window, items, {
    title: 'Allow what this plan does',
    message: `Allow this in ${quoted(plan.name)}?`,
    allow: 'Allow and start',
    notes: [
      ...(schedule ? [`The plan is scheduled: ${schedule.repeat ?? 1} runs, all of this in each.`] : []),
      'This happens with your rights. Allow it only in a plan that you know.',
    ],
    tooLong:
      `What ${quoted(plan.name)} does outside of its run is too long to show here. ` +
      'Read the plan, and run it with npx --no-install fullhouse run PLAN.yaml --allow-hooks.',
  });
}

/** Asks in the same way for the webhooks and commands of the alert rules. */
export function confirmAlerts(window: BrowserWindow, items: readonly ConsentItem[]): Promise<boolean> {
  return isAllowed(window, items, {
    title: 'Allow what the alert rules do',
    message: 'Allow this in the alert rules?',
    allow: 'Allow',
    notes: ['This happens with your rights, until a rule is changed. Allow it only in rules that you know.'],
    tooLong:
      'What the alert rules start and call is too long to show here. Shorten their commands, or use fewer different ones.',
  });
}

async function isAllowed(window: BrowserWindow, items: readonly ConsentItem[], words: Words): Promise<boolean> {
  const pages = consentPages(items);
  if (!pages) throw new Error(words.tooLong);
  for (const [place, page] of pages.entries()) {
    const next = place < pages.length - 1 ? 'Next' : words.allow;
    const buttons = [next, 'Cancel'];
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      title: words.title,
      message: words.message + (pages.length > 1 ? ` Page ${place + 1} of ${pages.length}` : ''),
      detail: [page, '', ...words.notes].join('\n'),
      buttons,
      defaultId: buttons.indexOf('Cancel'),
      cancelId: buttons.indexOf('Cancel'),
      noLink: true,
    });
    if (response !== buttons.indexOf(next)) return false;
  }
  return true;
}
