import { describe, expect, it } from 'vitest';
import { commandOfKey, findCommands, type Command } from './commands';

function command(id: string, title: string, of: Partial<Command> = {}): Command {
  return { id, title, keys: [id], group: 'run', isEnabled: true, run: () => undefined, ...of };
}

const commands = [
  command('p', 'Pull viewers'),
  command('o', 'Open run, Pull 1000'),
  command('s', 'Save still', { isEnabled: false }),
  command('[', 'Step the crosshair', { isKeyOnly: true }),
];

describe('commands', () => {
  it('are found by their key while enabled', () => {
    expect(commandOfKey(commands, 'p')?.title).toBe('Pull viewers');
    expect(commandOfKey(commands, 's')).toBeUndefined();
    expect(commandOfKey(commands, 'x')).toBeUndefined();
  });

  it('are found by words, prefix matches first', () => {
    expect(findCommands(commands, 'pull').map(({ id }) => id)).toEqual(['p', 'o']);
    expect(findCommands([...commands].reverse(), 'pull').map(({ id }) => id)).toEqual(['p', 'o']);
    expect(findCommands(commands, 'run open').map(({ id }) => id)).toEqual(['o']);
    expect(findCommands(commands, '').map(({ id }) => id)).toEqual(['p', 'o']);
  });
});
