import { describe, expect, it } from 'vitest';
import { DoublePress, keyName, type KeyPress } from './keyboard';

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...more };
}

describe('keyName', () => {
  it('names letters in lower case, with Ctrl or Cmd before them', () => {
    expect(keyName(press('P'))).toBe('p');
    expect(keyName(press('k', { ctrlKey: true }))).toBe('Ctrl+k');
    expect(keyName(press('k', { metaKey: true }))).toBe('Ctrl+k');
    expect(keyName(press('?'))).toBe('?');
    expect(keyName(press('Escape'))).toBe('Escape');
  });

  it('leaves Alt to the menus', () => {
    expect(keyName(press('f', { altKey: true }))).toBeUndefined();
  });
});

describe('DoublePress', () => {
  it('treats two quick presses as one command, and a third as a new first', () => {
    const escape = new DoublePress();
    expect([0, 300, 600, 900].map((timeMs) => escape.press(timeMs))).toEqual([false, true, false, true]);
  });

  it('ignores two slow presses', () => {
    const escape = new DoublePress();
    expect([0, 501].map((timeMs) => escape.press(timeMs))).toEqual([false, false]);
  });
});
