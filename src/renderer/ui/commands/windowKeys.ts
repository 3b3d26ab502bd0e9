import { commandOfKey, type Command } from './commands';
import { belongsToField, DoublePress, keyName } from './keyboard';

interface KeyPlaces {
  /** Currently available commands. */
  readonly commands: () => readonly Command[];
  readonly isDialogOpen: () => boolean;
  /** Whether Escape closes something: a dialog, popover, menu, or a view that fills the window. */
  readonly isLayerOpen: () => boolean;
  readonly stopAll: () => void;
}

/** Listeners for the key presses of the window. */
export interface WindowKeys {
  /** Before every component. */
  readonly onCapture: (event: KeyboardEvent) => void;
  /** After the components, unless one of them has stopped the event. */
  readonly onBubble: (event: KeyboardEvent) => void;
}

/** Works in every view and dialog, unlike other keys. */
const stopKey = 'Ctrl+.';

/** Handles all keys of the window. */
export function windowKeys({ commands, isDialogOpen, isLayerOpen, stopAll }: KeyPlaces): WindowKeys {
  const escape = new DoublePress();
  /** A press in a field, which may use it itself: that shows only afterwards. */
  let inField: KeyboardEvent | undefined;

  /**
   * `Esc Esc` stops only if neither press has another effect: two presses that close nested dialogs, or a note and then
   * nothing, must not end a test.
   */
  const countEscape = (event: KeyboardEvent): void => {
    if (escape.press(event.timeStamp)) stopAll();
  };

  return {
    onCapture: (event) => {
      if (event.key === 'Escape') {
        if (event.repeat) return;
        if (isLayerOpen() || event.isComposing || isOpenSelect(event.target)) return escape.reset();
        if (!isTextField(event.target)) return countEscape(event);
        inField = event;
        return;
      }
      escape.reset();
      const name = keyName(event);
      if (!name || belongsToField(name, event.target)) return;
      if (name !== stopKey && isDialogOpen()) return;
      const command = commandOfKey(commands(), name);
      if (!command) return;
      event.preventDefault();
      command.run();
    },
    onBubble: (event) => {
      if (event !== inField) return;
      inField = undefined;
      if (event.defaultPrevented) escape.reset();
      else countEscape(event);
    },
  };
}

const isTextField = (target: EventTarget | null): boolean => belongsToField('a', target) && !isSelect(target);

const isSelect = (target: EventTarget | null): target is HTMLSelectElement =>
  target instanceof HTMLElement && target.matches('select');

/** Its list of options is open: Escape closes the list. */
const isOpenSelect = (target: EventTarget | null): boolean => isSelect(target) && target.matches(':open');

/** What Escape closes, as marked by the components; not in a view that is covered by another. */
const layers = 'dialog[open], [data-escape-layer]:not([inert] *)';

/** Whether Escape closes something in the page. */
export const isLayerOpenIn = (page: Document): boolean => page.querySelector(layers) !== null;
