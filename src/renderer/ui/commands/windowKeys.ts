import { commandOfKey, type Command } from './commands';
import { belongsToField, DoublePress, keyName } from './keyboard';

interface KeyPlaces {
  /** Currently available commands. */
  readonly commands: () => readonly Command[];
  readonly isDialogOpen: () => boolean;
  readonly stopAll: () => void;
}

/** Handles all keys of the window. */
export function windowKeys({ commands, isDialogOpen, stopAll }: KeyPlaces): (event: KeyboardEvent) => void {
  const escape = new DoublePress();
  return (event) => {
    // Esc Esc stops from everywhere, including dialogs and fields.
    if (event.key === 'Escape' && !event.repeat && escape.press(event.timeStamp)) return stopAll();
    const name = keyName(event);
    if (!name || belongsToField(name, event.target)) return;
    if (name !== 'Ctrl+.' && isDialogOpen()) return;
    const command = commandOfKey(commands(), name);
    if (!command) return;
    event.preventDefault();
    command.run();
  };
}
