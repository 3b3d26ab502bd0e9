import { FullhouseError, type Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import { relayProtocols } from '../../domain/model/publishMedia';
import { isOwnStream } from '../fleet/publicationOrder';
import { nodeOf, type HandlerParts } from './handlerParts';

const done = { done: true } as const;

type StreamCall = Extract<keyof AnyCalls, `lab.${string}` | `publish.${string}` | `signal.${string}`>;

/** Implements the calls about streams: the lab, publications and the signalling of the window's player. */
export function makeStreamHandlers(parts: HandlerParts): Handlers<StreamCall> {
  const { fleet, runManager, publications, clock } = parts;
  const { sessions } = publications;
  /** What the window publishes, on a node that is ready. */
  const started = async <O extends { readonly node: string }>(order: O) => {
    const node = nodeOf(parts, order.node);
    await node.start();
    return { ...order, node };
  };
  return {
    'lab.start': async () => {
      const lab = fleet.node('lab');
      await lab.start();
      return lab.view();
    },
    'lab.stop': async () => {
      const lab = fleet.node('lab');
      if ((runManager.activeRun?.namesOf(lab).length ?? 0) > 0)
        throw new FullhouseError('in-use', 'The lab is the origin of the active run; stop the run first.');
      await lab.stop();
      return done;
    },

    'lab.conditions': ({ stream, ...conditions }) => fleet.lab.conditions(stream, conditions),

    'publish.start': async ({ node, by, ...order }) => {
      const origin = nodeOf(parts, node);
      await origin.start();
      const publisher = isOwnStream(origin.server, order) ? undefined : nodeOf(parts, by ?? 'local');
      await publisher?.start();
      const { job, warnings } = await publications.publish(origin, order, publisher);
      return { job, warnings: [...warnings] };
    },
    'publish.publishers': ({ job, offset, limit }) => publications.publishers(job, offset, limit),
    'publish.stop': async ({ job }) => {
      await publications.stop(job);
      return done;
    },
    'signal.whep': ({ node, stream, offerSdp, protocol }) =>
      publications.signalWhep(nodeOf(parts, node), stream, offerSdp, protocol),
    'signal.whip': async ({ offerSdp, protocol, ...order }) =>
      publications.signalWhip(await started(order), offerSdp, protocol),
    'publish.relay': async ({ protocol, ...order }) =>
      publications.relay(await started(order), protocol ? [protocol] : relayProtocols),
    'publish.relayData': ({ session, data }) => ({ sent: sessions.relayData(session, data) }),
    'publish.room': async (order) => publications.room(await started(order)),
    'publish.figures': ({ session, figures }) => {
      publications.figures(session, figures, clock.now());
      return done;
    },
    'signal.end': async ({ session }) => {
      await sessions.end(session);
      return done;
    },
  };
}
