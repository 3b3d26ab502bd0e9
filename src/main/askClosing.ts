import { dialog, type BrowserWindow } from 'electron';
import { quoted } from '../domain/plan/planHooks';
import { viewers } from '../domain/verdict/verdictRules';
import type { ClosingAnswer, ClosingWish, Work } from './closing';

const buttons = (wish: ClosingWish): readonly string[] => [
  'Keep running in the background',
  wish === 'close' ? 'Stop and close' : 'Stop and quit',
  'Cancel',
];
const answers: readonly ClosingAnswer[] = ['background', 'stop', 'cancel'];

/** Asks what becomes of a run, or of plans that wait for their time, when the window closes. */
export async function askClosing(
  window: BrowserWindow,
  work: Work,
  wish: ClosingWish,
): Promise<ClosingAnswer> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: wish === 'close' ? 'Close Fullhouse' : 'Quit Fullhouse',
    ...closingText(work),
    buttons: [...buttons(wish)],
    defaultId: answers.indexOf('background'),
    cancelId: answers.indexOf('cancel'),
    noLink: true,
  });
  return answers[response] ?? 'cancel';
}

/** What is under way, and what each answer does to it. */
export function closingText({ run, schedules }: Work): { readonly message: string; readonly detail: string } {
  const [waiting] = schedules;
  const message = run ? `${quoted(run.name)} is running` : `${quoted(waiting?.name ?? '')} is scheduled`;
  const further = schedules.filter(({ state }) => state === 'waiting').length;
  return {
    message,
    detail: [
      ...(run ? [`${viewers(run.figures.connected)} connected.`] : []),
      ...(further > 0 ? [`Scheduled: ${further} ${further === 1 ? 'plan' : 'plans'}.`] : []),
      'In the background the run continues by its plan and its file is completed; Fullhouse quits afterwards. ' +
        'To show the window again, use the tray icon or start Fullhouse again.',
      run
        ? 'Stop: all viewers disconnect, and the run is saved as stopped.'
        : 'Stop: the schedule is cancelled.',
    ].join('\n\n'),
  };
}
