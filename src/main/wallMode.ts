import type { BrowserWindow, powerSaveBlocker } from 'electron';

/** What wall mode needs of the desktop: a full screen that stays on. */
export class WallMode {
  #blocker: number | undefined;
  #wasFullScreen = false;

  constructor(
    private readonly window: Pick<BrowserWindow, 'isFullScreen' | 'setFullScreen'>,
    private readonly power: Pick<typeof powerSaveBlocker, 'start' | 'stop'>,
  ) {}

  /** Fills the screen and keeps it on; off: as it was before. */
  set(isOn: boolean): void {
    if (isOn === (this.#blocker !== undefined)) return;
    if (isOn) {
      this.#wasFullScreen = this.window.isFullScreen();
      this.#blocker = this.power.start('prevent-display-sleep');
      this.window.setFullScreen(true);
      return;
    }
    if (this.#blocker !== undefined) this.power.stop(this.#blocker);
    this.#blocker = undefined;
    this.window.setFullScreen(this.#wasFullScreen);
  }
}
