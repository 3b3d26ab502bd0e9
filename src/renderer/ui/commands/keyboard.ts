/** Max time between two presses that count as one command. */
const doublePressMs = 500;

/** The part of a KeyboardEvent that a shortcut needs. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

/**
 * The name of a key press as in the list of commands: `p`, `?`, `[`, `Escape`, `Ctrl+k`. On a Mac, Cmd counts as Ctrl.
 * Alt is reserved for system menus: returns undefined.
 */
export function keyName(press: KeyPress): string | undefined {
  if (press.altKey) return undefined;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  return press.ctrlKey || press.metaKey ? `Ctrl+${key}` : key;
}

/** Whether a key belongs to the focused field: single letters are off while typing. */
export function belongsToField(name: string, target: EventTarget | null): boolean {
  if (name === 'Escape' || name.startsWith('Ctrl+')) return false;
  if (!(target instanceof HTMLElement)) return false;
  // Enter activates the focused element.
  if (name === 'Enter' && target !== document.body) return true;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

/** Detects the second of two quick presses. */
export class DoublePress {
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param timeMs any monotonic clock */
  press(timeMs: number): boolean {
    const isSecond = timeMs - this.#lastMs <= doublePressMs;
    this.#lastMs = isSecond ? Number.NEGATIVE_INFINITY : timeMs;
    return isSecond;
  }

  /** The next press is a first one again. */
  reset(): void {
    this.#lastMs = Number.NEGATIVE_INFINITY;
  }
}
