import { FullhouseError, type Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import type { WatchHistory } from '../watch/watchHistory';
import type { HandlerParts } from './handlerParts';

type WatchCall = Extract<keyof AnyCalls, `watch.${string}`>;

/** Implements the calls about what the console has watched. */
export function makeWatchHandlers({ watching, runsChanged }: HandlerParts): Handlers<WatchCall> {
  const history = (): WatchHistory => {
    if (!watching)
      throw new FullhouseError('not-watched', 'This console records runs only, so that it has no history to read.');
    return watching.history;
  };
  return {
    'watch.state': async () => (watching ? watching.state() : { fromMs: null, toMs: null, bytes: 0, problem: null }),
    'watch.nodes': async (range) => [...(await history().nodes(range))],
    'watch.overview': (question) => history().overview(question),
    'watch.samples': (range) => history().samples(range),
    'watch.save': async (range) => {
      const run = await history().save(range);
      runsChanged();
      return { run };
    },
  };
}
