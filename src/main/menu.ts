import { Menu, app, type MenuItemConstructorOptions } from 'electron';
import type { ShellEvents } from '../contract/shell';

type Choice = ShellEvents['menu'];

/** Entries that need no page: they have to work when the page does not. */
export interface HelpActions {
  readonly saveDiagnostics: () => void;
  readonly showCrashFiles: () => void;
}

/**
 * The application menu. The page's entries only send it an event. Single-letter keys are shown but not registered: the
 * page handles them, except during text input.
 */
function menuTemplate(
  choose: (choice: Choice) => void,
  quit: () => void,
  help: HelpActions,
  platform: NodeJS.Platform = process.platform,
): MenuItemConstructorOptions[] {
  const entry = (label: string, choice: Choice, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    id: choice,
    accelerator,
    registerAccelerator: accelerator !== undefined && accelerator.includes('+'),
    click: () => choose(choice),
  });
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
      entry('Add node…', 'addNode', 'N'),
      line,
      entry('Open run…', 'openRun', 'CmdOrCtrl+O'),
      entry('Export…', 'export', 'CmdOrCtrl+E'),
      line,
      entry('Settings…', 'settings', 'CmdOrCtrl+,'),
      line,
      isMac ? { role: 'close' } : quitEntry,
    ],
  };
  const run: MenuItemConstructorOptions = {
    label: '&Run',
    submenu: [
      entry('Pull…', 'pull', 'P'),
      entry('Publish…', 'publish', 'U'),
      line,
      entry('Note', 'note', 'M'),
      entry('Save still', 'still', 'S'),
      entry('Save clip', 'clip'),
      entry('Spot check…', 'spotCheck', 'B'),
      line,
      entry('Stop all', 'stopAll', 'CmdOrCtrl+.'),
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      entry('Console', 'console'),
      entry('Nodes', 'nodes'),
      entry('Runs', 'runs'),
      line,
      entry('Follow live', 'live', 'L'),
      entry('Reset time zoom', 'zoomReset', 'Z'),
      line,
      entry('Dark or light theme', 'toggleTheme', 'D'),
      entry('Local time or UTC', 'toggleUtc', 'T'),
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
      entry('Keyboard shortcuts', 'keys', 'Shift+/'),
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

export function setMenu(choose: (choice: Choice) => void, quit: () => void, help: HelpActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(choose, quit, help)));
}
