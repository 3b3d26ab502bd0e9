import { dialog, type BrowserWindow } from 'electron';
import { quoted } from '../domain/text/quoted';
import type { ClosingAnswer, ClosingAction, ActiveWork } from './closing';
import { formatViewers } from '../domain/text/numberFormat';

const buttons = (action: ClosingAction): readonly string[] => [
  'Keep running in the background',
  action === 'close' ? 'Stop and close' : 'Stop and quit',
  'Cancel',
];
const answers: readonly ClosingAnswer[] = ['background', 'stop', 'cancel'];

/** Asks what to do with a run, or with scheduled plans, when the window closes. */
export async function confirmClosing(
  window: BrowserWindow,
  work: ActiveWork,
  action: ClosingAction,
): Promise<ClosingAnswer> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: action === 'close' ? 'Close Fullhouse' : 'Quit Fullhouse',
    ...closingText(work),
    buttons: [...buttons(action)],
    defaultId: answers.indexOf('background'),
    cancelId: answers.indexOf('cancel'),
    noLink: true,
  });
  return answers[response] ?? 'cancel';
}

/** The active work, and the effect of each answer on it. */
export function closingText({ run, schedules }: ActiveWork): { readonly message: string; readonly detail: string } {
  const [waiting] = schedules;
  const message = run ? `${quoted(run.name)} is running` : `${quoted(waiting?.name ?? '')} is scheduled`;
  const further = schedules.filter(({ state }) => state === 'waiting').length;
  return {
    message,
    detail: [
      ...(run ? [`${formatViewers(run.figures.connected)} connected.`] : []),
      ...(further > 0 ? [`Scheduled: ${further} ${further === 1 ? 'plan' : 'plans'}.`] : []),
      'In the background the run continues by its plan and its file is completed; Fullhouse quits afterwards. ' +
        'To show the window again, use the tray icon or start Fullhouse again.',
      run ? 'Stop: all viewers disconnect, and the run is saved as stopped.' : 'Stop: the schedule is cancelled.',
    ].join('\n\n'),
  };
}
