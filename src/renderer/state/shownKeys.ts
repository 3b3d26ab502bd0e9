import { getContext, setContext } from 'svelte';
import type { Command } from './commands';

/** The key of a command as it is bound now, written for people; undefined when it has none. */
export type KeyLabel = (command: string) => string | undefined;

const context = Symbol('keys of commands');

export const keyLabelOf =
  (commands: () => readonly Command[]): KeyLabel =>
  (id) =>
    commands().find((command) => command.id === id)?.caps;

/** Called once by the window, for everything in it that names a key. */
export const provideKeyLabels = (label: KeyLabel): KeyLabel => setContext(context, label);

/** For components that name a key, called while they are made. Outside the window no key works, so none is named. */
export const useKeyLabels = (): KeyLabel => getContext<KeyLabel | undefined>(context) ?? (() => undefined);

/** A tooltip with the key of its command behind it, when it has one. */
export function titleWithKey(text: string, key: string | undefined): string {
  return key === undefined ? text : `${text}, ${key}`;
}
