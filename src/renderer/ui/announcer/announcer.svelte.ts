import { getContext, setContext } from 'svelte';
import { AnnouncementQueue, type AnnouncementKind } from './announcementQueue';

/** Texts for screen readers, by the one live region of the window. */
export class Announcer {
  /** The current text; `count` makes a repeated one a new announcement. */
  current = $state.raw({ text: '', count: 0 });
  readonly #queue = new AnnouncementQueue();
  #timer: ReturnType<typeof setTimeout> | undefined;

  announce(kind: AnnouncementKind, text: string): void {
    this.#queue.add(kind, text);
    this.#next();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #next(): void {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    const text = this.#queue.take(nowMs);
    if (text !== undefined) this.current = { text, count: this.current.count + 1 };
    const waitMs = this.#queue.waitMs(nowMs);
    if (waitMs !== undefined) this.#timer = setTimeout(() => this.#next(), waitMs + 1);
  }
}

const context = Symbol('announcer');

/** Called once by the window. */
export const provideAnnouncer = (announcer: Announcer): Announcer => setContext(context, announcer);

/** For components, called during initialisation. Outside the window nothing is announced. */
export const useAnnouncer = (): Pick<Announcer, 'announce'> =>
  getContext<Announcer | undefined>(context) ?? { announce: () => undefined };
