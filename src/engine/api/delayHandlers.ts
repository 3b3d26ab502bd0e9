import type { Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import { pathsOf } from '../delay/testPaths';
import { nodeOf, type HandlerParts } from './handlerParts';

const done = { done: true } as const;

type DelayCall = Extract<keyof AnyCalls, `delays.${string}` | `delayDecoder.${string}`>;

/** Implements the calls about delay tests. */
export function makeDelayHandlers(parts: HandlerParts): Handlers<DelayCall> {
  const { delayTests, delayTables } = parts;
  return {
    'delays.start': (order) => delayTests.start(order),
    'delays.startUnderPlan': ({ plan, allowHooks, allowNodes, ...order }) =>
      delayTests.start(order, { plan, allowHooks, allowNodes }),
    'delays.cancel': () => {
      delayTests.cancel();
      return done;
    },
    'delays.state': () => ({ view: delayTests.view ?? null }),
    'delays.list': () => delayTables.list(),
    'delays.import': async ({ name, text }) => ({ table: await delayTables.import(text, name) }),
    'delays.remove': async ({ table }) => {
      await delayTables.remove(table);
      return done;
    },
    'delays.paths': ({ node, encodes }) => ({ paths: [...pathsOf(nodeOf(parts, node).view(), encodes)] }),
    'delayDecoder.next': async ({ test, encodes, result }) => ({ order: await delayTests.next(test, encodes, result) }),
    'delayDecoder.progress': ({ test, step, share }) => ({ isWanted: delayTests.progress(test, step, share) }),
  };
}
