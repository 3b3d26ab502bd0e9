import type { LabStream } from '../../../contract/agentSample';
import { FullhouseError } from '../../../contract/calls';
import type { NodeCapabilities, StreamView } from '../../../domain/model/node';
import { labProtocols } from '../../../domain/model/serverFamilies';
import type { SeriesId } from '../../../domain/series/series';
import type { AgentLink } from '../../links/agentLink';
import type { ServerAdapter, ServerSample } from '../adapter';

/** What the lab reports beyond this is for its own figures. */
function streamView({ connecting: _connecting, budgetPercent: _budget, ...view }: LabStream): StreamView {
  return view;
}

export const labCapabilities: NodeCapabilities = {
  publish: labProtocols.publish,
  pull: labProtocols.play,
  play: labProtocols.play,
  serves: labProtocols.play,
  measure: ['streams', 'viewers', 'degraded', 'process', 'GC'],
  terminate: true,
};

/** The lab: the agent in its role as a small WHIP/WHEP origin. It is not a media server and says so. */
export function labServer(link: AgentLink): ServerAdapter {
  const base = (): string => {
    const { http } = link.hello;
    if (!http) throw new FullhouseError('bad-answer', 'The lab does not report its WHIP and WHEP address.');
    return `http://${http}`;
  };
  const unpublish = async (stream: string): Promise<void> => {
    await link.request('lab.unpublish', { stream });
  };
  return {
    family: 'lab',
    capabilities: labCapabilities,
    generatesStreams: true,
    identify: () => Promise.resolve({ software: `lab ${link.hello.agent}` }),
    onSample: (listener) =>
      link.onRecord((record) => {
        if (record.kind !== 'sample' || !record.sample.lab) return;
        const { lab } = record.sample;
        const budgets = lab.streams.flatMap(({ budgetPercent }) => budgetPercent ?? []);
        const values: Partial<Record<SeriesId, number>> = {
          originViewers: lab.viewers,
          originOutMbps: lab.bitrateOutKbps / 1000,
          originPacketsPerSecond: lab.packetsOutPerSecond,
          ...(lab.degraded === undefined ? {} : { originDegraded: lab.degraded }),
          // Simulated, so it stands beside the measured CPU under its own name.
          ...(budgets.length === 0 ? {} : { 'server:cpu_budget_percent': Math.max(...budgets) }),
        };
        listener({
          timeMs: record.timeMs,
          values,
          streams: lab.streams.map(streamView),
        } satisfies ServerSample);
      }),
    // Its link reports failures; there is no poll that could fail separately.
    onProblem: () => () => undefined,
    streams: async () => (await link.request('lab.streams', {})).streams.map(streamView),
    publishSample: async (stream, sample) => {
      await link.request('lab.publish-sample', { stream, sample });
    },
    unpublish,
    terminate: unpublish,
    addresses: (stream) => ({
      play: { whep: `${base()}/whep/${encodeURIComponent(stream)}` },
      publish: { whip: `${base()}/whip/${encodeURIComponent(stream)}` },
    }),
    close: () => undefined,
  };
}
