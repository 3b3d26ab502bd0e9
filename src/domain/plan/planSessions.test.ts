import { describe, expect, it } from 'vitest';
import { parsePlan, planToYaml } from './planYaml';

const plain = (fields: string, protocol = 'wcs', by = 'tester-1'): string => `
name: sessions
nodes: { origin: { server: wcs, url: "http://127.0.0.1:8081" }, tester-1: { tester: local }, tester-2: { tester: wcs, url: "http://127.0.0.1:8083" } }
pull: { stream: any, from: origin, by: [${by}], protocol: ${protocol}, viewers: 10, rate: 5/s, hold: 10s, ${fields} }
`;

describe('how long viewers watch', () => {
  it.each([
    ['10s-60s', 10_000, 60_000],
    ['1500ms - 1m30s', 1500, 90_000],
    ['30s', 30_000, 30_000],
  ])('%s is read, and written again', (text, minMs, maxMs) => {
    const { plan } = parsePlan(plain(`watchFor: ${text}`, 'hls'));
    expect(plan.pull?.watchFor).toEqual({ minMs, maxMs });
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each([
    ['60s-10s', 'the shorter time first'],
    ['500ms', 'watches for 1s to'],
    ['10s-', 'not a range'],
    ['1s-2s-3s', 'not a range'],
    ['10-60', 'not a range'],
    ['soon', 'not a range'],
  ])('%s is refused', (text, sentence) => {
    expect(() => parsePlan(plain(`watchFor: ${text}`))).toThrow(sentence);
  });

  it('needs an agent', () => {
    expect(() => parsePlan(plain('watchFor: 10s', 'rtmp', 'tester-2'))).toThrow("can't replace its viewers");
  });
});

describe('sessions without media', () => {
  it('are of WCS with agents, and need no stream', () => {
    const { plan, warnings } = parsePlan(plain('withoutMedia: true'));
    expect([plan.pull?.withoutMedia, warnings.filter((warning) => warning.includes('publish'))]).toEqual([true, []]);
  });

  it.each([
    [plain('withoutMedia: true', 'whep'), 'Only WCS has sessions without media'],
    [plain('withoutMedia: true', 'wcs', 'tester-2'), 'opens no sessions without media'],
    [plain('withoutMedia: true, network: 3g'), 'neither a simulated network'],
  ])('are refused otherwise', (text, sentence) => {
    expect(() => parsePlan(text)).toThrow(sentence);
  });
});
