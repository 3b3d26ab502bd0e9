import { Menu, nativeImage, Tray } from 'electron';

/** Pixels of a tray icon; a Mac's menu bar is lower. */
const iconSize = process.platform === 'darwin' ? 18 : 22;

/**
 * Access to a hidden window where the system has a tray: an icon with a menu, present only while the window is hidden.
 */
export class BackgroundTray {
  private tray: Tray | undefined;

  constructor(
    private readonly icon: string,
    private readonly act: { readonly show: () => void; readonly stop: () => void },
  ) {}

  show(title: string): void {
    this.remove();
    try {
      const tray = new Tray(nativeImage.createFromPath(this.icon).resize({ width: iconSize, height: iconSize }));
      tray.setToolTip(title);
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: title, enabled: false },
          { type: 'separator' },
          { label: 'Show Fullhouse', click: () => this.act.show() },
          { label: 'Stop and quit', click: () => this.act.stop() },
        ]),
      );
      tray.on('click', () => this.act.show());
      this.tray = tray;
    } catch (error) {
      // Starting the app again shows the window too.
      console.error(`No tray icon: ${String(error)}`);
    }
  }

  remove(): void {
    this.tray?.destroy();
    this.tray = undefined;
  }
}
