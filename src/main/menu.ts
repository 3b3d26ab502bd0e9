import { Menu, app, type MenuItemConstructorOptions } from 'electron';
import type { MenuEntry, MenuKeys } from '../contract/shell';
import { acceleratorOf } from './accelerator';

/** Their keys are registered here, since they must work while the page is busy; they can't be changed. */
const fixedKeys: MenuKeys = {
  openRun: 'Ctrl+o',
  export: 'Ctrl+e',
  settings: 'Ctrl+,',
  stopAll: 'Ctrl+.',
};

/** Entries that need no page: they have to work when the page does not. */
export interface HelpActions {
  readonly saveDiagnostics: () => void;
  readonly showCrashFiles: () => void;
}

/**
 * The application menu. The page's entries only send it an event. The other keys are those that the page has now: shown
 * but not registered, since the page handles them, except during text input.
 */
function menuTemplate(
  choose: (choice: MenuEntry) => void,
  quit: () => void,
  help: HelpActions,
  keys: MenuKeys,
  platform: NodeJS.Platform = process.platform,
): MenuItemConstructorOptions[] {
  const entry = (label: string, choice: MenuEntry): MenuItemConstructorOptions => {
    const key = fixedKeys[choice] ?? keys[choice];
    return {
      label,
      id: choice,
      accelerator: key === undefined ? undefined : acceleratorOf(key),
      registerAccelerator: choice in fixedKeys,
      click: () => choose(choice),
    };
  };
  // Not the role: quitting during a run asks first.
  const quitEntry: MenuItemConstructorOptions = {
    label: platform === 'win32' ? 'E&xit' : platform === 'darwin' ? 'Quit Fullhouse' : '&Quit',
    id: 'quit',
    accelerator: platform === 'win32' ? 'Alt+F4' : 'CmdOrCtrl+Q',
    // Windows has this key itself, as the window's close.
    registerAccelerator: platform !== 'win32',
    click: quit,
  };
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const isMac = platform === 'darwin';

  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      entry('Add node…', 'addNode'),
      line,
      entry('Open run…', 'openRun'),
      entry('Export…', 'export'),
      line,
      entry('Settings…', 'settings'),
      line,
      isMac ? { role: 'close' } : quitEntry,
    ],
  };
  const run: MenuItemConstructorOptions = {
    label: '&Run',
    submenu: [
      entry('Pull…', 'pull'),
      entry('Publish…', 'publish'),
      line,
      entry('Note', 'note'),
      entry('Save still', 'still'),
      entry('Save clip', 'clip'),
      entry('Spot check…', 'spotCheck'),
      line,
      entry('Stop all', 'stopAll'),
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      entry('Console', 'console'),
      entry('Nodes', 'nodes'),
      entry('Runs', 'runs'),
      line,
      entry('Follow live', 'live'),
      entry('Pause or resume live updates', 'pause'),
      entry('Reset time zoom', 'zoomReset'),
      line,
      entry('Next theme', 'toggleTheme'),
      entry('Local time or UTC', 'toggleUtc'),
      line,
      { role: 'zoomIn', label: 'Larger text' },
      { role: 'zoomOut', label: 'Smaller text' },
      { role: 'resetZoom', label: 'Normal text' },
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : [line, { role: 'toggleDevTools' as const }]),
    ],
  };
  const helpMenu: MenuItemConstructorOptions = {
    role: 'help',
    label: '&Help',
    submenu: [
      entry('Keyboard shortcuts', 'keys'),
      line,
      { label: 'Save diagnostics…', id: 'saveDiagnostics', click: help.saveDiagnostics },
      { label: 'Show crash files', id: 'showCrashFiles', click: help.showCrashFiles },
      ...(isMac ? [] : [line, entry('About and third-party notices', 'about')]),
    ],
  };
  // Without the edit roles copy and paste have no keys on a Mac.
  const appMenu: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [
      entry('About Fullhouse', 'about'),
      line,
      { role: 'services' },
      line,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      line,
      quitEntry,
    ],
  };
  return [...(isMac ? [appMenu] : []), file, { role: 'editMenu' }, run, view, helpMenu];
}

/** Sets the menu. The returned function shows other keys in it. */
export function setMenu(
  choose: (choice: MenuEntry) => void,
  quit: () => void,
  help: HelpActions,
): (keys: MenuKeys) => void {
  const show = (keys: MenuKeys): void =>
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(choose, quit, help, keys)));
  show({});
  return show;
}
