import { BrowserWindow, screen } from 'electron';
import { paletteColour } from '../engine/report/palette';
import type { Settings } from '../contract/shell';
import { pageUrl } from './appPage';
import type { JsonFile } from './jsonFile';
import { minSize, placeOnScreens, type Area, type rememberedPlace } from './windowPlace';

/** Which of the system's themes its own parts (menus, dialogs) have. */
export const systemThemeOf = (theme: Settings['theme']): 'system' | 'dark' | 'light' =>
  theme === 'high-contrast' ? 'dark' : theme;

/** Creates the window at its last position; it is shown after its first paint. */
export function createMainWindow(options: {
  readonly preload: string;
  readonly icon: string;
  readonly isDark: boolean;
  readonly place: JsonFile<typeof rememberedPlace>;
}): BrowserWindow {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  const screens: [Area, ...Area[]] = [primary.workArea, ...others.map((display) => display.workArea)];
  const { maximised, ...bounds } = placeOnScreens(options.place.value, screens);

  const window = new BrowserWindow({
    ...bounds,
    minWidth: minSize.width,
    minHeight: minSize.height,
    show: false,
    title: 'Fullhouse',
    icon: options.icon,
    // As the page's, so that no white flash precedes it.
    backgroundColor: paletteColour(options.isDark ? 'dark' : 'light', 'background'),
    // The Alt key shows the menu; on a Mac it is always at the top of the screen.
    autoHideMenuBar: true,
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      // Charts and the player continue while another window covers this one.
      backgroundThrottling: false,
    },
  });
  if (maximised) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => options.place.write({ ...window.getNormalBounds(), maximised: window.isMaximized() }));
  void window.loadURL(pageUrl);
  return window;
}
