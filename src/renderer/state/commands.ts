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

/** Commands whose title holds every word that was typed, best first: those that begin with it. */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const wish = text.trim().toLowerCase();
  const words = wish.split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => {
    const title = command.title.toLowerCase();
    return command.isEnabled && !command.isKeyOnly && words.every((word) => title.includes(word));
  });
  const rank = (command: Command): number => (command.title.toLowerCase().startsWith(wish) ? 0 : 1);
  return wish ? [...found].sort((a, b) => rank(a) - rank(b)) : found;
}
