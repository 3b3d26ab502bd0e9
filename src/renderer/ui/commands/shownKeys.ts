import { getContext, setContext } from 'svelte';
import type { Command } from './commands';

/** Display form of a command's current key; undefined if it has none. */
export type KeyLabel = (command: string) => string | undefined;

const context = Symbol('keys of commands');

export const keyLabelOf =
  (commands: () => readonly Command[]): KeyLabel =>
  (id) =>
    commands().find((command) => command.id === id)?.caps;

/** Called once by the window, for all components that show a key. */
export const provideKeyLabels = (label: KeyLabel): KeyLabel => setContext(context, label);

/** For components that show a key, called during initialisation. Outside the window no key works, so none is shown. */
export const useKeyLabels = (): KeyLabel => getContext<KeyLabel | undefined>(context) ?? (() => undefined);

/** A tooltip with the key of its command, if it has one. */
export function titleWithKey(text: string, key: string | undefined): string {
  return key === undefined ? text : `${text}, ${key}`;
}
