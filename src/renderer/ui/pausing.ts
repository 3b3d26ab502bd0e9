import { getContext, setContext } from 'svelte';

const context = Symbol('pause of live updates');

/** Called once by the window. */
export const providePause = (isPaused: () => boolean): void => void setContext(context, isPaused);

/** For components that display live figures of their own, called during initialisation. */
export const usePause = (): (() => boolean) => getContext<(() => boolean) | undefined>(context) ?? (() => false);
