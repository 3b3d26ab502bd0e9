import { expect, it } from 'vitest';
import { agentProtocolVersion } from '../../contract/agentProtocol';
import type { HelloResult } from '../../contract/agentCalls';
import type { AgentRecord } from '../../contract/agentSample';
import { BestOffset } from './bestOffset';
import { RecordInbox } from './recordInbox';

const host = { system: 'linux', architecture: 'amd64', kernel: '6', cpuModel: 'x', cores: 1, memoryBytes: 1 };
const hello: HelloResult = {
  ...{ protocol: agentProtocolVersion, agent: '0.1.0', role: 'audience', instance: 'a', pid: 1, nowMs: 6001 },
  ...{ oldestSequence: 1, latestSequence: 0, host, limits: { openFiles: 1000, viewers: 744 } },
};

it('has all times of a publication in our clock', async () => {
  const clock = new BestOffset();
  // Theirs is 5 s ahead.
  clock.add(1000, 1002, 6001);
  const inbox = new RecordInbox('The audience', clock, (sentence) => expect.fail(sentence));
  inbox.greet(hello);
  const received = new Promise<AgentRecord>((resolve) => inbox.on(resolve));
  const mediaClock = { startMs: 7200, sinceMs: 7100, durationMs: 12_000 };
  const publication = { job: 'publish-1', protocol: 'whip', state: 'live', bitrateKbps: 100, fps: 25, sinceMs: 7000 };
  const sample = { process: { gcPauses: 0 }, jobs: [], publications: [{ ...publication, mediaClock }] };
  inbox.take({ type: 'record', sequence: 1, timeMs: 8000, kind: 'sample', sample }, 'the record');
  expect(await received).toMatchObject({
    timeMs: 3000,
    sample: { publications: [{ sinceMs: 2000, mediaClock: { startMs: 2200, sinceMs: 2100, durationMs: 12_000 } }] },
  });
});
