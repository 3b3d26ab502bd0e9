import { synonymsOf } from './synonyms';

/** Something the window can be told to do, by key, by the palette or by the menu. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** Names as `keyName` gives them; the first is the one that is shown. */
  readonly keys: readonly string[];
  /** How the key is written for people, e.g. `Ctrl K`. */
  readonly caps?: string;
  readonly group: 'run' | 'charts' | 'window';
  readonly isEnabled: boolean;
  /** Not offered in the palette, because it makes sense as a key only. */
  readonly isKeyOnly?: boolean;
  readonly run: () => void;
}

/** The command of a key; undefined when none has it or the one that has it can't be done now. */
export function commandOfKey(commands: readonly Command[], key: string): Command | undefined {
  return commands.find((command) => command.isEnabled && command.keys.includes(key));
}

/** Commands that every typed word fits, by title or synonym; best first: titles that begin with the text, a synonym as it was typed, titles, synonyms. */
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

/** The smaller the better; undefined when a word fits neither the title nor a synonym. */
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
