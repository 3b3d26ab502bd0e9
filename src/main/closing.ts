import type { ScheduleView } from '../domain/plan/schedule';
import type { RunView } from '../domain/model/run';

/** What would end with the app. */
export interface ActiveWork {
  /** The active run. */
  readonly run?: RunView;
  /** Scheduled plans. */
  readonly schedules: readonly ScheduleView[];
}

export type ClosingAnswer = 'background' | 'stop' | 'cancel';
/** What the user requested: close the window, or quit the app. */
export type ClosingAction = 'close' | 'quit';

export interface ClosingParts {
  /** Undefined when nothing runs and nothing is scheduled. */
  readonly work: () => ActiveWork | undefined;
  readonly ask: (work: ActiveWork, action: ClosingAction) => Promise<ClosingAnswer>;
  /** Hides the window and adds the tray icon. */
  readonly hide: () => void;
  /** Shows the window and removes the tray icon. */
  readonly show: () => void;
  readonly quit: () => void;
}

/**
 * Closing the window during a run: a question, then either a window that is hidden until the work is done, or a quit. A
 * system shutdown and signals do not ask: they end the app, which stops the run in order.
 */
export class Closing {
  /** The window is hidden, and the app ends with the work. */
  isBackground = false;
  private isAsking = false;
  private isEnding = false;

  constructor(private readonly parts: ClosingParts) {}

  /** The app is about to end: windows close without a question. */
  ending(): void {
    this.isEnding = true;
  }

  /** Whether the window may close now. Otherwise the user is asked. */
  mayClose(): boolean {
    if (this.isEnding || !this.parts.work()) return true;
    void this.askFirst('close');
    return false;
  }

  /** Quit of the menu and its key. */
  quit(): void {
    if (this.isEnding || !this.parts.work()) this.parts.quit();
    else void this.askFirst('quit');
  }

  /** The window is requested: from the tray, the dock, or by starting the app again. */
  comeBack(): void {
    this.isBackground = false;
    this.parts.show();
  }

  /** The work changed; an app in the background ends with it. */
  workChanged(): void {
    if (this.isBackground && !this.isEnding && !this.parts.work()) this.parts.quit();
  }

  private async askFirst(action: ClosingAction): Promise<void> {
    const work = this.parts.work();
    if (this.isAsking || !work) return;
    this.isAsking = true;
    const answer = await this.parts.ask(work, action).finally(() => (this.isAsking = false));
    if (answer === 'cancel' || this.isEnding) return;
    if (answer === 'stop') return this.parts.quit();
    this.isBackground = true;
    this.parts.hide();
    // The run may have ended while the question was open.
    this.workChanged();
  }
}
