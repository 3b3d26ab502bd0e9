import type { Settings } from '../../contract/shell';
import type { Command } from './commands';

/** What a person set for the keys of commands. */
export type KeyChoice = Pick<Settings, 'singleKeys' | 'keys'>;

/** Keys that fields, lists and dialogs need themselves. */
const keptForFields: ReadonlySet<string> = new Set([
  ...['Escape', 'Tab', 'Enter', ' ', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'],
  ...[
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Shift',
    'Control',
    'Alt',
    'Meta',
    'F2',
    'F4',
    'F10',
  ],
  ...['a', 'c', 'v', 'x', 'y', 'z'].map((key) => `Ctrl+${key}`),
]);

/** Keys that the menu of the app or the system listens to before the window does. */
const keptForMenu: ReadonlySet<string> = new Set([
  ...['Ctrl+q', 'Ctrl+w', 'Ctrl++', 'Ctrl+=', 'Ctrl+-', 'Ctrl+0', 'Ctrl+I', 'F11', 'F12'],
]);

/** The menu of the app has their keys as well, or they must work whatever was chosen. */
const fixed: ReadonlySet<string> = new Set([
  'stop',
  'forceStop',
  'open',
  'export',
  'settings',
  'first',
  'split',
]);

/** Commands whose keys a person may change: those that are always there, not one for each node or run. */
export const canRebind = ({ id }: Command): boolean => !fixed.has(id) && !id.includes(' ');

/** A key without Ctrl that types a character. */
const isSingle = (key: string): boolean => [...key].length === 1;

/** A key as it is written for people: `P`, `Ctrl K`, `Shift [`. */
export function capsOf(key: string): string {
  if (key === '') return '';
  const shifted: Readonly<Record<string, string>> = { '{': 'Shift [', '}': 'Shift ]', '-': '−' };
  return (
    shifted[key] ??
    key.replace('Ctrl+', 'Ctrl ').replace(/(?<=^|Ctrl )[a-z]$/, (letter) => letter.toUpperCase())
  );
}

/** The commands with the keys that a person chose. */
export function withKeys(
  commands: readonly Command[],
  { singleKeys = true, keys = {} }: KeyChoice,
): readonly Command[] {
  const taken = new Set(Object.values(keys));
  return commands.map((command) => {
    const own = canRebind(command) ? keys[command.id] : undefined;
    const changed =
      own === undefined
        ? // A key that was given to another command is no longer this one's.
          { ...command, keys: command.keys.filter((key) => !taken.has(key) || !canRebind(command)) }
        : { ...command, keys: own === '' ? [] : [own], caps: own === '' ? undefined : capsOf(own) };
    const left = singleKeys ? changed.keys : changed.keys.filter((key) => !isSingle(key));
    const hasLost = left.length === 0 && command.keys.length + changed.keys.length > 0;
    return { ...changed, keys: left, caps: hasLost && command.id !== 'stop' ? undefined : changed.caps };
  });
}

/** Why a key can't be given to a command, in one sentence; undefined when it can. */
export function keyProblem(commands: readonly Command[], id: string, key: string): string | undefined {
  const written = capsOf(key);
  if (keptForFields.has(key)) return `${written} belongs to fields and lists. Press another key.`;
  if (keptForMenu.has(key)) return `${written} belongs to the menu of the app. Press another key.`;
  const other = commands.find((command) => command.id !== id && command.keys.includes(key));
  return other && `${written} is the key of "${other.title}". Change that one first, or press another key.`;
}
