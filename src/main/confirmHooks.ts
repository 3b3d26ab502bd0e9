import { dialog, type BrowserWindow } from 'electron';
import type { ConsentItem } from '../domain/consent/consent';
import { itemLine } from '../domain/consent/consentText';
import type { Plan } from '../domain/model/plan';
import { quoted } from '../domain/text/quoted';

/** Limit of characters that a message box shows without truncation. */
const maxShown = 2000;
const buttons = ['Allow and start', 'Cancel'] as const;

/**
 * Asks whether to allow what a plan does outside of its run. The main process lists it in full, as the engine found it: a
 * page could show other things than it starts.
 */
export async function confirmHooks(window: BrowserWindow, plan: Plan, items: readonly ConsentItem[]): Promise<boolean> {
  const lines = items.map(itemLine);
  const { schedule } = plan;
  if (lines.join('\n').length > maxShown)
    throw new Error(
      `What ${quoted(plan.name)} does outside of its run is too long to show here. ` +
        'Read the plan, and run it with npx fullhouse run PLAN.yaml --allow-hooks.',
    );
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Allow hooks, files and clusters',
    message: `Allow this in ${quoted(plan.name)}?`,
    detail: [
      ...lines,
      '',
      ...(schedule ? [`The plan is scheduled: ${schedule.repeat ?? 1} runs, all of this in each.`] : []),
      'This happens with your rights. Allow it only in a plan that you know.',
    ].join('\n'),
    buttons: [...buttons],
    defaultId: buttons.indexOf('Cancel'),
    cancelId: buttons.indexOf('Cancel'),
    noLink: true,
  });
  return buttons[response] === 'Allow and start';
}
