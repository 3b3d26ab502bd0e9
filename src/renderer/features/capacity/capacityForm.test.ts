import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import { detailOf, firstForm, knownBitrates, orderOf, problemsOf, roomSentence, stepsOf } from './capacityForm';

function node(id: string, role: NodeView['role'], of: Partial<NodeView> = {}): NodeView {
  return { id, name: id, role, colourSlot: 1, state: 'live', reach: 'SSH', host: id, streams: [], ...of };
}
const lab = node('lab', 'origin', { builtIn: true, host: 'here' });
const local = node('local', 'tester', { builtIn: true, host: 'here' });
const srs = node('srs', 'origin', { settings: { server: 'srs', ssh: 'qa@srs' } });
const far = node('far', 'tester', { settings: { tester: 'ssh', ssh: 'qa@far' } });
const livekit = node('livekit', 'origin', { settings: { server: 'livekit' } });

describe('a measurement between two nodes', () => {
  it('starts with an origin and a tester on two machines', () => {
    expect(firstForm([lab, local, livekit, srs, far])).toMatchObject({ from: 'srs', to: 'far' });
    expect(firstForm([lab, local, srs])).toMatchObject({ from: 'srs', to: 'local' });
    expect(firstForm([lab, local])).toMatchObject({ from: 'lab', to: 'local' });
    expect(firstForm([])).toMatchObject({ from: '', to: '' });
  });

  it('is refused with a sentence at its field', () => {
    const nodes = [srs, far, livekit];
    const form = firstForm(nodes);
    const paths = (of: Partial<typeof form>): string[] => problemsOf({ ...form, ...of }, nodes).map(({ path }) => path);
    expect(paths({})).toEqual([]);
    expect(paths({ to: 'srs' })).toEqual(['to']);
    expect(paths({ from: 'livekit' })).toEqual(['from']);
    expect(paths({ from: 'gone' })).toEqual(['from']);
    expect(paths({ seconds: '61' })).toEqual(['seconds']);
    expect(paths({ seconds: 'ten' })).toEqual(['seconds']);
    expect(paths({ rate: '0' })).toEqual([]);
    expect(paths({ rate: '0', protocol: 'udp' })).toEqual(['rate']);
    expect(paths({ port: '70000' })).toEqual(['port']);
  });

  it('is requested with non-default values only', () => {
    const form = firstForm([srs, far]);
    expect(orderOf(form)).toEqual({ from: 'srs', to: 'far', protocol: 'tcp', seconds: 10 });
    expect(orderOf({ ...form, protocol: 'udp', rate: '2,500', port: '6000' })).toMatchObject({
      bitrateMbps: 2500,
      port: 6000,
    });
  });

  it('states which node runs what, which port is needed, and warns about loopback', () => {
    const form = firstForm([srs, far]);
    expect(stepsOf(form, [srs, far]).slice(0, 2)).toEqual([
      'far runs iperf3 -s for this measurement and srs sends to it. Both stop afterwards.',
      'TCP port 5201 of far must be open for srs.',
    ]);
    expect(stepsOf({ ...form, protocol: 'udp' }, [srs, far])[1]).toMatch(/^TCP and UDP port 5201/);
    expect(stepsOf({ ...form, from: 'lab', to: 'local' }, [lab, local]).at(-1)).toMatch(/loopback/);
  });
});

describe('viewers that fit', () => {
  it('uses known bitrates, the most viewed stream of the sender first', () => {
    const served = { source: '', bitrateKbps: 380.4 };
    const nodes = [
      node('a', 'origin', { streams: [{ ...served, stream: 'other', viewers: 9 }] }),
      node('b', 'origin', {
        streams: [
          { ...served, stream: 'quiet', viewers: 1 },
          { ...served, stream: 'loud', viewers: 700 },
          { stream: 'unknown', source: '', viewers: 900 },
        ],
      }),
    ];
    expect(knownBitrates(nodes, 'b').map(({ stream }) => stream)).toEqual(['loud', 'quiet', 'other']);
    expect(knownBitrates(nodes, 'b')[0]?.kbps).toBe(380);
  });

  it('is stated only with a bitrate', () => {
    expect(roomSentence(9400, 380)).toBe('Capacity: 24,736 viewers at 380 kbit/s');
    expect(roomSentence(9400, undefined)).toBeUndefined();
    expect(roomSentence(9400, 0)).toBeUndefined();
  });

  it('states the loss', () => {
    const test = { id: '1', from: 'a', to: 'b', seconds: 10, state: 'done', progress: 1 } as const;
    expect(detailOf({ ...test, protocol: 'udp', lossPercent: 0.2, jitterMs: 0.02 })).toBe(
      '0.20 % lost, jitter 0.02 ms',
    );
    expect(detailOf({ ...test, protocol: 'tcp', retransmits: 1 })).toBe('1 retransmit');
    expect(detailOf({ ...test, protocol: 'tcp' })).toBe('');
  });
});
