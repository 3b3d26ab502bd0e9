import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import { clientsResponse, streamsResponse } from './responses';
import { Publishers } from './publishers';
import type { SrsApi } from './srsApi';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(join(__dirname, '../../../../tests/fixtures/srs', name), 'utf8'));
const { streams } = streamsResponse.parse(fixture('whip-streams-during.json'));
const { clients } = clientsResponse.parse(fixture('whip-clients-during.json'));

const api = {
  client: (id: string) => {
    const client = clients.find((client) => client.id === id);
    return client
      ? Promise.resolve(client)
      : Promise.reject(new FullhouseError('srs-2049', 'Edge: it has no such client.'));
  },
} as SrsApi;

it('uses the average since its start for a publisher younger than SRS’s averaging window', async () => {
  const publishers = new Publishers(api, () => 0);
  await publishers.refresh(streams);
  expect(streams.map((stream) => publishers.of(stream))).toEqual([
    { source: 'WHIP · 10.77.0.1', bitrateKbps: 152, ageMs: 258_870 },
    { source: 'WHIP · 10.77.0.2', bitrateKbps: 29, ageMs: 5030 },
  ]);
});

it('returns the known details of a publisher that disconnected meanwhile, and of a stream without one', async () => {
  const publishers = new Publishers(api, () => 0);
  const [stream] = streams;
  if (!stream) throw new Error('No stream was captured.');
  const left = { ...stream, publish: { active: true, cid: 'gone' } };
  await publishers.refresh([left]);
  expect(publishers.of(left)).toEqual({ source: 'WHIP' });
  expect(publishers.of({ ...stream, publish: { active: false } })).toEqual({ source: 'no publisher' });
});

it('queries many publishers a few at a time, in turn', async () => {
  const requests: string[] = [];
  let nowMs = 0;
  const counting = {
    client: (id: string) => {
      requests.push(id);
      return Promise.resolve({ id });
    },
  } as SrsApi;
  const publishers = new Publishers(counting, () => nowMs);
  const many = Array.from({ length: 20 }, (_, index) => ({
    id: `v${index}`,
    name: `s${index}`,
    app: 'live',
    clients: 1,
    publish: { active: true, cid: `c${index}` },
  }));
  for (let tick = 0; tick < 3; tick += 1) {
    await publishers.refresh(many);
    nowMs += 1000;
  }
  expect(requests).toEqual(many.map(({ publish }) => publish.cid));
});
