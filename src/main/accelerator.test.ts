import { expect, it } from 'vitest';
import { acceleratorOf } from './accelerator';

it('names keys as the menu needs them', () => {
  expect(['p', 'Ctrl+k', 'Ctrl+,', '?', '+', '0', 'F5'].map(acceleratorOf)).toEqual([
    ...['P', 'CmdOrCtrl+K', 'CmdOrCtrl+,', 'Shift+/', 'Plus', '0', 'F5'],
  ]);
});
