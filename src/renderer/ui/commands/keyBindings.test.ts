import { describe, expect, it } from 'vitest';
import type { Command } from './commands';
import { canRebind, capsOf, keyProblem, withKeys } from './keyBindings';

const command = (id: string, keys: readonly string[], caps?: string): Command => ({
  id,
  title: `Title of ${id}`,
  keys,
  caps,
  group: 'run',
  isEnabled: true,
  run: () => undefined,
});
const commands = [
  command('pull', ['p'], 'P'),
  command('zoomIn', ['+', '='], '+'),
  command('palette', ['Ctrl+k'], 'Ctrl K'),
  command('stop', ['Ctrl+.'], 'Esc Esc'),
  command('node tester-1', ['1'], '1'),
];
const of = (id: string, choice: Parameters<typeof withKeys>[1]) =>
  withKeys(commands, choice).find((key) => key.id === id);

describe('keys of commands', () => {
  it('are the defaults until changed', () => {
    expect(withKeys(commands, {})).toEqual(commands);
  });

  it('are replaced, removed, and shown as pressed', () => {
    expect(of('zoomIn', { keys: { zoomIn: 'i' } })).toMatchObject({ keys: ['i'], caps: 'I' });
    expect(of('pull', { keys: { pull: '' } })).toMatchObject({ keys: [], caps: undefined });
    expect(of('pull', { keys: { pull: 'Ctrl+l' } })?.caps).toBe('Ctrl L');
  });

  it('without Ctrl can be disabled together, except Stop', () => {
    const off = { singleKeys: false };
    expect(of('pull', off)).toMatchObject({ keys: [], caps: undefined });
    expect(of('node tester-1', off)?.keys).toEqual([]);
    expect(of('palette', off)).toMatchObject({ keys: ['Ctrl+k'], caps: 'Ctrl K' });
    expect(of('stop', off)).toMatchObject({ keys: ['Ctrl+.'], caps: 'Esc Esc' });
  });

  it('are never assigned to two commands', () => {
    expect(keyProblem(commands, 'pull', 'Ctrl+k')).toBe(
      'Ctrl K is assigned to "Title of palette". Change that first, or press another key.',
    );
    expect(keyProblem(commands, 'pull', 'p')).toBeUndefined();
    expect(keyProblem(commands, 'pull', 'j')).toBeUndefined();
    // A manually edited settings file: the key belongs to the command it was assigned to.
    expect(of('pull', { keys: { zoomIn: 'p' } })?.keys).toEqual([]);
  });

  it('exclude those of fields, lists and the app menu', () => {
    for (const key of ['Escape', 'Tab', 'Enter', ' ', 'ArrowDown', 'Ctrl+c', 'Ctrl+v'])
      expect(keyProblem(commands, 'pull', key)).toContain('is reserved for fields and lists');
    expect(keyProblem(commands, 'pull', 'Ctrl+q')).toContain('is reserved for the menu');
    expect(commands.filter(canRebind).map(({ id }) => id)).toEqual(['pull', 'zoomIn', 'palette']);
  });

  it('have a display form', () => {
    expect(['p', '?', '{', 'Ctrl+,', 'F5'].map(capsOf)).toEqual(['P', '?', 'Shift [', 'Ctrl ,', 'F5']);
  });
});
