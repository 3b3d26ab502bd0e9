import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Command } from './commands';
import { windowKeys } from './windowKeys';

/** Presses keys in sequence and returns their effects. */
function press(keys: readonly string[], isDialogOpen = false): string[] {
  const done: string[] = [];
  const command = (id: string, key: string, isEnabled = true): Command => ({
    id,
    title: id,
    keys: [key],
    group: 'run',
    isEnabled,
    run: () => void done.push(id),
  });
  const listen = windowKeys({
    commands: () => [command('pull', 'p'), command('note', 'm', false), command('stop', 'Ctrl+.')],
    isDialogOpen: () => isDialogOpen,
    stopAll: () => void done.push('stop all'),
  });
  keys.forEach((key, index) => {
    const [ctrl, plain] = key.startsWith('Ctrl+') ? [true, key.slice(5)] : [false, key];
    const event = { key: plain, ctrlKey: ctrl, timeStamp: 100 * index, target: null };
    listen({ ...event, preventDefault: () => void done.push('taken') } as unknown as KeyboardEvent);
  });
  return done;
}

describe('keys of the window', () => {
  // Without a page no field has focus.
  beforeAll(() => vi.stubGlobal('HTMLElement', class {}));
  afterAll(() => vi.unstubAllGlobals());

  it('run their command if enabled', () => {
    expect(press(['p'])).toEqual(['taken', 'pull']);
    expect(press(['m', 'x'])).toEqual([]);
  });

  it('stop everything by Esc Esc, and are otherwise off under a dialog', () => {
    expect(press(['Escape', 'Escape'], true)).toEqual(['stop all']);
    expect(press(['p'], true)).toEqual([]);
    expect(press(['Ctrl+.'], true)).toEqual(['taken', 'stop']);
  });
});
