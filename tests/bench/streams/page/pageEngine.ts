import { serveEngine, type Handlers } from '../../../../src/contract/calls';
import { engineCalls, type EngineCallName } from '../../../../src/contract/engine';
import type { Wire } from '../../../../src/contract/wire';
import type { CapacityTest } from '../../../../src/domain/model/capacity';
import type { StreamView } from '../../../../src/domain/model/node';
import { fewStreams, ManyStreams } from './manyStreams';

type Used = Pick<
  Handlers<EngineCallName>,
  'nodes.streams' | 'nodes.terminate' | 'capacity.measure' | 'capacity.cancel'
>;

/**
 * The part of the engine that the pane and the dialog call, at the other end of a wire. With a count of 0: the
 * screenshot's six.
 */
export function servePageEngine(wire: Wire, count: number): void {
  const many = new ManyStreams(count);
  let few = fewStreams();
  let test: CapacityTest | undefined;

  const used: Used = {
    'nodes.streams': (input) => {
      if (count > 0) return many.answer(input);
      const search = input.filter.toLowerCase();
      const streams = few.filter(({ stream }) => stream.includes(search));
      return { total: few.length, matching: streams.length, streams };
    },
    'nodes.terminate': ({ stream, filter }) => {
      const isMeant = (each: StreamView): boolean =>
        stream === undefined ? each.stream.includes(filter ?? '') : each.stream === stream;
      const before = few.length;
      if (count > 0) return { ended: many.end(isMeant), problems: [] };
      few = few.filter((each) => !isMeant(each));
      return { ended: before - few.length, problems: [] };
    },
    'capacity.measure': ({ from, to, protocol, seconds }) => {
      const id = `capacity-${Date.now()}`;
      test = { id, from, to, protocol, seconds, state: 'running', progress: 0.4 };
      const blocked = to === 'local';
      const end: CapacityTest = blocked
        ? { ...test, state: 'failed', problem: `${from} could not reach port 5201 of ${to}; is it open?` }
        : { ...test, state: 'done', progress: 1, mbps: 9412, retransmits: 12 };
      for (const [delayMs, view] of [
        [50, test],
        [1500, end],
      ] as const)
        setTimeout(() => test && server.push('capacity', view), delayMs);
      return { id };
    },
    'capacity.cancel': () => {
      if (test) server.push('capacity', { ...test, state: 'cancelled' });
      test = undefined;
      return { done: true };
    },
  };
  const server = serveEngine<keyof Used>(wire, engineCalls, used);
}
