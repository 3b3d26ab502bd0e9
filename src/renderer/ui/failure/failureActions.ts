import { getContext, setContext } from 'svelte';

/** What a failed pane offers. */
export interface FailureActions {
  /** Adds it to the log. */
  readonly report: (pane: string, error: unknown) => void;
  readonly copy: (text: string) => void;
}

const key = Symbol('failure actions');

export function provideFailureActions(actions: FailureActions): void {
  setContext(key, actions);
}

export function useFailureActions(): FailureActions {
  return getContext<FailureActions>(key);
}

/** Details of an error for the log and for a report: message, stack, and the errors that caused it. */
export function failureDetails(pane: string, error: unknown): string {
  const texts: string[] = [];
  for (let each = error, depth = 0; each !== undefined && depth < 5; depth += 1) {
    texts.push(each instanceof Error ? stackOf(each) : (JSON.stringify(each) ?? typeof each));
    each = each instanceof Error ? each.cause : undefined;
  }
  return `${pane} failed.\n${texts.join('\nCaused by: ')}`;
}

/** Chromium's stacks begin with the message, those of other engines do not. */
function stackOf(error: Error): string {
  const { stack = '' } = error;
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}
