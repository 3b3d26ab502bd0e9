import { dialog, type BrowserWindow } from 'electron';
import type { Plan } from '../domain/model/plan';
import { externalTexts, quoted } from '../domain/plan/planHooks';

/** Limit of characters that a message box shows without truncation. */
const maxShown = 2000;
const buttons = ['Allow and start', 'Cancel'] as const;

/**
 * Asks whether to allow a plan's hooks. The main process lists them in full: a page could show others than it starts.
 */
export async function confirmHooks(window: BrowserWindow, plan: Plan): Promise<boolean> {
  const lines = externalTexts(plan);
  const { schedule } = plan;
  if (lines.join('\n').length > maxShown)
    throw new Error(
      `The hooks of ${quoted(plan.name)} are too long to show here. ` +
        'Read the plan, and run it with npx fullhouse run PLAN.yaml --allow-hooks.',
    );
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Allow hooks',
    message: `Allow hooks in ${quoted(plan.name)}?`,
    detail: [
      ...lines,
      '',
      ...(schedule ? [`The plan is scheduled: ${schedule.repeat ?? 1} runs, hooks in each.`] : []),
      'Hooks run outside Fullhouse with your rights. Allow them only in a plan that you know.',
    ].join('\n'),
    buttons: [...buttons],
    defaultId: buttons.indexOf('Cancel'),
    cancelId: buttons.indexOf('Cancel'),
    noLink: true,
  });
  return buttons[response] === 'Allow and start';
}
