import { byWindow } from '../domain/model/browserViewers';

/** The windows that run browser viewers. */
export class BrowserWindows {
  private readonly windows = new Set<object>();

  offer(window: object): void {
    this.windows.add(window);
  }

  /** A window was closed. */
  withdraw(window: object): void {
    this.windows.delete(window);
  }

  /** Who runs the browser viewers of a run that starts now; undefined if none can. */
  get by(): string | undefined {
    return this.windows.size > 0 ? byWindow : undefined;
  }
}
