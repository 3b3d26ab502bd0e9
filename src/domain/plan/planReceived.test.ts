import { describe, expect, it } from 'vitest';
import { planShape } from '../compare/planShape';
import { parsePlan, planToYaml } from './planYaml';

const plain = (options: string, { protocol = 'whep', by = 'tester-1' } = {}): string => `
name: received
nodes: { origin: { server: lab }, tester-1: { tester: local }, tester-2: { tester: wcs, url: "http://127.0.0.1:8081" } }
pull: { stream: cam, from: origin, by: [${by}], protocol: ${protocol}, viewers: 6, rate: 5/s, hold: 10s, ${options} }
`;

describe('how and what viewers receive', () => {
  it.each([
    ['transport: tcp', 'livekit', 'ICE over TCP'],
    ['tracks: audio', 'hls', 'audio only'],
    ['tracks: audio, transport: tcp', 'whep', 'audio only, ICE over TCP'],
    ['participant: presenter', 'livekit', 'participant presenter'],
    ['adaptiveStream: 640x360', 'livekit', 'adaptive stream 640x360'],
  ])('%s is read, described, and written again', (options, protocol, text) => {
    const { plan } = parsePlan(plain(options, { protocol }));
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(planShape(plan)).toContain(`${protocol}, ${text}, `);
  });

  it.each([
    ['transport: sctp', 'whep', 'udp'],
    ['transport: tcp', 'rtmp', 'Only WebRTC has a choice of transport, rtmp does not.'],
    ['tracks: video', 'whep', 'audio'],
    ['tracks: audio', 'mjpeg', 'mjpeg has no audio.'],
    ['adaptiveStream: large', 'livekit', '"large" is not a size. Write the size of the element'],
    ['adaptiveStream: 0x360', 'livekit', 'is not a size'],
    ['adaptiveStream: 640x360', 'whep', 'Only LiveKit has "adaptiveStream", whep does not.'],
    ['participant: presenter', 'rtmp', 'Only LiveKit has "participant", rtmp does not.'],
    ['adaptiveStream: 640x360, tracks: audio', 'livekit', 'Viewers of audio receive no video.'],
    ['participant: presenter, rooms: { size: 3 }', 'livekit', 'Participants of rooms receive all others.'],
    ['tracks: audio, rooms: { size: 3 }', 'livekit', 'Participants of rooms receive audio and video.'],
  ])('%s over %s is refused', (options, protocol, says) => {
    expect(() => parsePlan(plain(options, { protocol }))).toThrow(says);
  });

  it('is a choice of agents only', () => {
    const by = 'tester-2';
    expect(() => parsePlan(plain('tracks: audio', { protocol: 'rtmp', by }))).toThrow(
      'The viewers of "tester-2", a WCS, receive audio and video. Use testers with an agent, or remove tracks.',
    );
    expect(() => parsePlan(plain('transport: tcp', { protocol: 'wcs', by }))).toThrow('have no choice of transport');
  });
});
