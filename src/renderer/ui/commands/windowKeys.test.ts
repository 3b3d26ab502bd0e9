import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Command } from './commands';
import { windowKeys } from './windowKeys';

interface Situation {
  readonly isDialogOpen?: boolean;
  /** How many things Escape closes, one by one. */
  readonly layers?: number;
  /** How many presses of Escape the focused field uses itself. */
  readonly fieldUses?: number;
  readonly target?: object;
}

/** Presses keys in sequence and returns their effects. */
function press(
  keys: readonly string[],
  { isDialogOpen = false, layers = 0, fieldUses = 0, target }: Situation = {},
): string[] {
  let [open, used] = [isDialogOpen ? Infinity : layers, 0];
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
    isLayerOpen: () => open > 0,
    stopAll: () => void done.push('stop all'),
  });
  keys.forEach((key, index) => {
    const [ctrl, plain] = key.startsWith('Ctrl+') ? [true, key.slice(5)] : [false, key];
    const event = {
      ...{
        key: plain,
        ctrlKey: ctrl,
        timeStamp: 100 * index,
        target: target ?? null,
        repeat: false,
        defaultPrevented: false,
      },
      preventDefault: () => void done.push('taken'),
    };
    listen.onCapture(event as unknown as KeyboardEvent);
    // What the press does in the page.
    if (plain === 'Escape' && open > 0) open -= 1;
    else if (plain === 'Escape' && target && used < fieldUses) {
      used += 1;
      event.defaultPrevented = true;
    }
    listen.onBubble(event as unknown as KeyboardEvent);
  });
  return done;
}

describe('keys of the window', () => {
  class Field {
    readonly type = 'text';
    readonly matches = (): boolean => false;
  }
  // Without a page no field has focus.
  beforeAll(() => {
    vi.stubGlobal('HTMLElement', Field);
    vi.stubGlobal('HTMLInputElement', Field);
  });
  afterAll(() => vi.unstubAllGlobals());
  const escapes = (count: number): string[] => Array.from({ length: count }, () => 'Escape');

  it('run their command if enabled', () => {
    expect(press(['p'])).toEqual(['taken', 'pull']);
    expect(press(['m', 'x'])).toEqual([]);
  });

  it('stop everything by Esc Esc, and by Ctrl . under a dialog, where other keys are off', () => {
    expect(press(escapes(2))).toEqual(['stop all']);
    expect(press(['Escape', 'm', 'Escape'])).toEqual([]);
    expect(press(['p'], { isDialogOpen: true })).toEqual([]);
    expect(press(['Ctrl+.'], { isDialogOpen: true })).toEqual(['taken', 'stop']);
  });

  it('never stop by a pair of presses of which one closes something', () => {
    expect(press(escapes(6), { isDialogOpen: true })).toEqual([]);
    // Three nested dialogs, one level each; what follows is a pair of its own.
    for (const closing of [1, 2, 3]) {
      expect(press(escapes(closing + 1), { layers: closing })).toEqual([]);
      expect(press(escapes(closing + 2), { layers: closing })).toEqual(['stop all']);
    }
  });

  it('leave a press to the field that uses it, and stop from one that does not', () => {
    const target = new Field();
    expect(press(escapes(2), { target })).toEqual(['stop all']);
    expect(press(escapes(2), { target, fieldUses: 1 })).toEqual([]);
    expect(press(escapes(3), { target, fieldUses: 1 })).toEqual(['stop all']);
  });
});
