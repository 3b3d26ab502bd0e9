import type { ScheduleView } from '../domain/plan/schedule';
import type { RunView } from '../domain/run';

/** What would end with the app. */
export interface Work {
  /** The run under way. */
  readonly run?: RunView;
  /** Plans that wait for their time. */
  readonly schedules: readonly ScheduleView[];
}

export type ClosingAnswer = 'background' | 'stop' | 'cancel';
/** What the person asked for: the window closed, or the app ended. */
export type ClosingWish = 'close' | 'quit';

export interface ClosingParts {
  /** Undefined when nothing runs and nothing waits. */
  readonly work: () => Work | undefined;
  readonly ask: (work: Work, wish: ClosingWish) => Promise<ClosingAnswer>;
  /** Hides the window and offers a way back to it. */
  readonly hide: () => void;
  /** Shows the window and takes the way back away. */
  readonly show: () => void;
  readonly quit: () => void;
}

/**
 * What closing the window means while a run is under way: a question, and then a window that is hidden until the work is done, or an
 * app that ends. A system that shuts down and signals do not ask: they end the app, which stops the run in order.
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

  /** Whether the window may close now. Where it may not, the person is asked. */
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

  /** Somebody wants to see the window: from the tray, the dock, or by starting the app again. */
  comeBack(): void {
    this.isBackground = false;
    this.parts.show();
  }

  /** The work changed; an app in the background ends with it. */
  workChanged(): void {
    if (this.isBackground && !this.isEnding && !this.parts.work()) this.parts.quit();
  }

  private async askFirst(wish: ClosingWish): Promise<void> {
    const work = this.parts.work();
    if (this.isAsking || !work) return;
    this.isAsking = true;
    const answer = await this.parts.ask(work, wish).finally(() => (this.isAsking = false));
    if (answer === 'cancel' || this.isEnding) return;
    if (answer === 'stop') return this.parts.quit();
    this.isBackground = true;
    this.parts.hide();
    // The run may have ended while the question was open.
    this.workChanged();
  }
}
