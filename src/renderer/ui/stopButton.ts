import { getContext, setContext, type Snippet } from 'svelte';

const context = Symbol('stop button of dialogs');

/** Called once by the window: the button that stops everything, shown while something is active. */
export const provideStopButton = (button: () => Snippet | undefined): void => void setContext(context, button);

/**
 * For everything that covers the toolbar, called during initialisation: a modal dialog makes the toolbar's button
 * unusable, and Stop has to work in every view.
 */
export const useStopButton = (): (() => Snippet | undefined) =>
  getContext<(() => Snippet | undefined) | undefined>(context) ?? (() => undefined);
