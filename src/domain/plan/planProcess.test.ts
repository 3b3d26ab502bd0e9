import { describe, expect, it } from 'vitest';
import { testerCapacity, viewerLimitText } from '../tester/viewerLimit';
import { parsePlan } from './planYaml';
import { processRemark } from './processRules';

const plan = (pull: string): string => `
name: processes
nodes:
  origin: { server: generic, rtsp: "rtsp://10.0.0.1/{stream}", srt: "srt://10.0.0.1:9000?streamid={stream}" }
  tester-1: { tester: local }
  tester-2: { tester: ssh, ssh: load@10.0.0.2 }
pull: { stream: cam, from: origin, ${pull} }
`;
const once = (protocol: string, viewers: number, rest = ''): string =>
  `by: [tester-1, tester-2], protocol: ${protocol}, viewers: ${viewers}, rate: 5/s, hold: 10s${rest}`;

describe('viewers by ffmpeg', () => {
  it.each(['rtsp', 'srt'])('over %s are 50 per tester', (protocol) => {
    expect(parsePlan(plan(once(protocol, 100))).plan.pull?.protocol).toBe(protocol);
    expect(() => parsePlan(plan(once(protocol, 101)))).toThrow(
      'max 50 per tester. Write 100 or fewer, or add testers.',
    );
    expect(() =>
      parsePlan(plan(`by: [tester-1], protocol: ${protocol}, stages: [{ ramp: 51, over: 30s }, { hold: 10s }]`)),
    ).toThrow('51 viewers');
    expect(processRemark(protocol as 'rtsp')).toContain('max 50 per tester');
  });

  it('have no simulated network', () => {
    expect(() => parsePlan(plan(once('srt', 10, ', network: 3g')))).toThrow('Remove the network.');
  });

  it('are limited by their processes, whatever the machine has', () => {
    const capacity = testerCapacity({ viewerLimit: 9000 }, 'srt');
    expect(capacity && viewerLimitText(capacity)).toBe('runs up to 50 viewers (ffmpeg process limit)');
    expect(processRemark('rtmp')).toBeUndefined();
  });
});
