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

  get isAny(): boolean {
    return this.windows.size > 0;
  }
}
