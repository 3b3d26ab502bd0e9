import type { Settings } from '../../../contract/shell';
import type { Command } from './commands';

/** The user's settings for command keys. */
export type KeyChoice = Pick<Settings, 'singleKeys' | 'keys'>;

/** Keys used by fields, lists and dialogs. */
const fieldKeys: ReadonlySet<string> = new Set([
  ...['Escape', 'Tab', 'Enter', ' ', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift', 'Control', 'Alt', 'Meta', 'F2', 'F4', 'F10'],
  ...['a', 'c', 'v', 'x', 'y', 'z'].map((key) => `Ctrl+${key}`),
]);

/** Keys handled by the app menu or the system before the window. */
const menuKeys: ReadonlySet<string> = new Set([
  ...['Ctrl+q', 'Ctrl+w', 'Ctrl++', 'Ctrl+=', 'Ctrl+-', 'Ctrl+0', 'Ctrl+I', 'F11', 'F12'],
]);

/** Their keys are also in the app menu, or must always work. */
const fixed: ReadonlySet<string> = new Set(['stop', 'forceStop', 'open', 'export', 'settings', 'first', 'split']);

/** Commands with configurable keys: permanent ones, not those of single nodes or runs. */
export const canRebind = ({ id }: Command): boolean => !fixed.has(id) && !id.includes(' ');

/** A key without Ctrl that types a character. */
const isSingle = (key: string): boolean => [...key].length === 1;

/** Display form of a key: `P`, `Ctrl K`, `Shift [`. */
export function capsOf(key: string): string {
  if (key === '') return '';
  const shifted: Readonly<Record<string, string>> = { '{': 'Shift [', '}': 'Shift ]', '-': '−' };
  return shifted[key] ?? key.replace('Ctrl+', 'Ctrl ').replace(/(?<=^|Ctrl )[a-z]$/, (letter) => letter.toUpperCase());
}

/** The commands with the configured keys. */
export function withKeys(
  commands: readonly Command[],
  { singleKeys = true, keys = {} }: KeyChoice,
): readonly Command[] {
  const taken = new Set(Object.values(keys));
  return commands.map((command) => {
    const own = canRebind(command) ? keys[command.id] : undefined;
    const changed =
      own === undefined
        ? // A key assigned to another command is removed here.
          { ...command, keys: command.keys.filter((key) => !taken.has(key) || !canRebind(command)) }
        : { ...command, keys: own === '' ? [] : [own], caps: own === '' ? undefined : capsOf(own) };
    const left = singleKeys ? changed.keys : changed.keys.filter((key) => !isSingle(key));
    const hasLost = left.length === 0 && command.keys.length + changed.keys.length > 0;
    return { ...changed, keys: left, caps: hasLost && command.id !== 'stop' ? undefined : changed.caps };
  });
}

/** Why a key can't be assigned to a command, in one sentence; undefined if it can. */
export function keyProblem(commands: readonly Command[], id: string, key: string): string | undefined {
  const written = capsOf(key);
  if (fieldKeys.has(key)) return `${written} is reserved for fields and lists. Press another key.`;
  if (menuKeys.has(key)) return `${written} is reserved for the menu. Press another key.`;
  const other = commands.find((command) => command.id !== id && command.keys.includes(key));
  return other && `${written} is assigned to "${other.title}". Change that first, or press another key.`;
}
