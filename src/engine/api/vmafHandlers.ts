import type { Handlers } from '../../contract/calls';
import type { vmafCalls } from '../../contract/vmafCalls';
import { vmafEvent } from '../runs/playerEvents';
import type { HandlerParts } from './handlerParts';

const done = { done: true } as const;

/** Implements the VMAF measurements of the control player. */
export function makeVmafHandlers({ vmaf, runManager }: HandlerParts): Handlers<keyof typeof vmafCalls> {
  return {
    'vmaf.open': async (input) => {
      await vmaf.open(input);
      return done;
    },
    'vmaf.frame': async (input) => {
      await vmaf.addFrame(input);
      return done;
    },
    'vmaf.measure': async ({ measurement }) => {
      const result = await vmaf.measure(measurement);
      runManager.playerEvent(vmafEvent(result));
      return result;
    },
    'vmaf.cancel': async ({ measurement }) => {
      await vmaf.cancel(measurement);
      return done;
    },
  };
}
