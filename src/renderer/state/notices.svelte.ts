/** Something the window has to tell, outside the place where it was caused. */
export interface Notice {
  readonly id: number;
  readonly tone: 'problem' | 'done';
  readonly sentence: string;
  readonly action?: { readonly text: string; readonly run: () => void };
}

/** How long good news stays; a problem stays until it is closed. */
const doneNoticeMs = 8000;
/** News that can be undone stays until one has had the time to think better of it. */
const undoNoticeMs = 20_000;

export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  #lastId = 0;
  #timers: { readonly id: number; readonly timer: ReturnType<typeof setTimeout> }[] = [];

  /** Shows a problem; the same sentence twice is one notice. */
  problem(error: unknown, action?: Notice['action']): void {
    const sentence = error instanceof Error ? error.message : String(error);
    if (!this.list.some((notice) => notice.sentence === sentence))
      this.#add({ tone: 'problem', sentence, action });
  }

  done(sentence: string, action?: Notice['action']): void {
    const id = this.#add({ tone: 'done', sentence, action });
    this.#timers.push({ id, timer: setTimeout(() => this.close(id), action ? undoNoticeMs : doneNoticeMs) });
  }

  close(id: number): void {
    clearTimeout(this.#timers.find((each) => each.id === id)?.timer);
    this.#timers = this.#timers.filter((each) => each.id !== id);
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
