import { synonymsOf } from './synonyms';

/** A command of the window, by key, palette or menu. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** Names as returned by `keyName`; the first one is displayed. */
  readonly keys: readonly string[];
  /** Display form of the key, e.g. `Ctrl K`. */
  readonly caps?: string;
  /** Display form of another key of the command, which works in dialogs too; for the list of keys. */
  readonly dialogCaps?: string;
  readonly group: 'run' | 'charts' | 'window';
  readonly isEnabled: boolean;
  /** Not in the palette: useful as a key only. */
  readonly isKeyOnly?: boolean;
  readonly run: () => void;
}

/** The command of a key; undefined if unassigned or disabled. */
export function commandOfKey(commands: readonly Command[], key: string): Command | undefined {
  return commands.find((command) => command.isEnabled && command.keys.includes(key));
}

/**
 * Commands that match every typed word, by title or synonym; best first: titles that start with the text, exact
 * synonyms, titles, synonyms.
 */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const typed = text.trim().toLowerCase();
  const words = typed.split(/\s+/).filter(Boolean);
  const offered = commands.filter((command) => command.isEnabled && !command.isKeyOnly);
  if (words.length === 0) return offered;
  return offered
    .flatMap((command) => {
      const rank = rankOf(command, typed, words);
      return rank === undefined ? [] : [{ command, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command);
}

/** Smaller is better; undefined if a word matches neither title nor synonym. */
function rankOf({ id, title }: Command, typed: string, words: readonly string[]): number | undefined {
  const name = title.toLowerCase();
  if (name.startsWith(typed)) return 0;
  const synonyms = synonymsOf(id).map((synonym) => ` ${synonym}`);
  if (synonyms.includes(` ${typed}`)) return 1;
  if (words.every((word) => name.includes(word))) return 2;
  const fits = (word: string): boolean =>
    name.includes(word) || synonyms.some((synonym) => synonym.includes(` ${word}`));
  return words.every(fits) ? 3 : undefined;
}
