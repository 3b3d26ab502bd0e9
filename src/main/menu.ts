import { Menu, app, type MenuItemConstructorOptions } from 'electron';
import type { ShellEvents } from '../contract/shell';

type Choice = ShellEvents['menu'];

/**
 * The application menu. Entries that belong to the page are told to it and nothing more. Keys that are single letters
 * are shown but not registered: they are the page's own and rest while somebody types.
 */
export function menuTemplate(
  choose: (choice: Choice) => void,
  platform: NodeJS.Platform = process.platform,
): MenuItemConstructorOptions[] {
  const entry = (label: string, choice: Choice, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    id: choice,
    accelerator,
    registerAccelerator: accelerator !== undefined && accelerator.includes('+'),
    click: () => choose(choice),
  });
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
      isMac ? { role: 'close' } : { role: 'quit' },
    ],
  };
  const run: MenuItemConstructorOptions = {
    label: '&Run',
    submenu: [
      entry('Pull…', 'pull', 'P'),
      entry('Publish…', 'publish', 'U'),
      line,
      entry('Note', 'note', 'M'),
      entry('Keep a still', 'still', 'S'),
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
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: '&Help',
    submenu: [entry('All keys', 'keys', 'Shift+/'), ...(isMac ? [] : [{ role: 'about' as const }])],
  };
  // Without the edit roles copy and paste have no keys on a Mac.
  return [...(isMac ? [{ role: 'appMenu' as const }] : []), file, { role: 'editMenu' }, run, view, help];
}

export function setMenu(choose: (choice: Choice) => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(choose)));
}
