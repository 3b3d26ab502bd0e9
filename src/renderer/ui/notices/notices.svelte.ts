import { errorText } from '../../../domain/text/errorText';

/** A message shown outside the place that caused it. */
export interface Notice {
  readonly id: number;
  readonly tone: 'problem' | 'done' | 'working';
  readonly sentence: string;
  readonly action?: NoticeAction;
  /** Beside the first. */
  readonly otherAction?: NoticeAction;
}

interface NoticeAction {
  readonly text: string;
  readonly run: () => void;
}

/** Display time of a success; a problem stays until it is closed. */
const doneNoticeMs = 8000;
/** Display time of a notice with undo. */
const undoNoticeMs = 20_000;

export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  #lastId = 0;
  #timers: { readonly id: number; readonly timer: ReturnType<typeof setTimeout> }[] = [];

  /** `onProblem` receives the sentence of each problem of the window, for the log. */
  constructor(private readonly onProblem: (sentence: string) => void = () => undefined) {}

  /** Shows a problem; repeated sentences are one notice. */
  problem(error: unknown, action?: NoticeAction): void {
    const sentence = errorText(error);
    this.onProblem(sentence);
    this.reported(sentence, action);
  }

  /** Shows a problem that the main process has reported, and logged. */
  reported(sentence: string, action?: NoticeAction): void {
    if (!this.list.some((notice) => notice.sentence === sentence)) this.#add({ tone: 'problem', sentence, action });
  }

  /** Shows that something is being done, until the notice is closed; returns its id. */
  working(sentence: string): number {
    return this.#add({ tone: 'working', sentence });
  }

  done(sentence: string, action?: NoticeAction, otherAction?: NoticeAction): void {
    const id = this.#add({ tone: 'done', sentence, action, otherAction });
    this.#timers.push({ id, timer: setTimeout(() => this.close(id), action ? undoNoticeMs : doneNoticeMs) });
  }

  /** Does something; a failure becomes a problem, and the result undefined. */
  async attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.problem(error);
      return undefined;
    }
  }

  close(id: number): void {
    clearTimeout(this.#timers.find((timer) => timer.id === id)?.timer);
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  closeAll(): void {
    this.dispose();
    this.list = [];
  }

  dispose(): void {
    for (const { timer } of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #add(notice: Omit<Notice, 'id'>): number {
    this.#lastId += 1;
    this.list = [...this.list, { ...notice, id: this.#lastId }];
    return this.#lastId;
  }
}
