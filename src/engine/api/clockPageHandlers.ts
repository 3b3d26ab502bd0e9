import type { Handlers } from '../../contract/calls';
import type { clockPageCalls } from '../../contract/clockPageCalls';
import type { HandlerParts } from './handlerParts';

/** Implements the clock page and the reading of its codes. */
export function makeClockPageHandlers({ clockPage, saved }: HandlerParts): Handlers<keyof typeof clockPageCalls> {
  return {
    'clockPage.state': () => clockPage.state,
    'clockPage.start': (input) => clockPage.start(input),
    'clockPage.stop': () => clockPage.stop(),
    'clockPage.readPicture': async (picture) => ({ codes: await saved.codesOfPicture(picture) }),
  };
}
