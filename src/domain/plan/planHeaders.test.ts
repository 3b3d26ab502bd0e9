import { describe, expect, it } from 'vitest';
import { headersFault } from './headerRules';
import { parsePlan, planToYaml } from './planYaml';

const text = (headers: string, protocol = 'hls', more = ''): string => `name: p
nodes: { origin: { server: generic, hls: "http://h/{stream}", rtmp: "rtmp://h/{stream}" }, audience: { tester: local } }
pull: { stream: cam, from: origin, by: [audience], protocol: ${protocol}, viewers: 1, rate: 1/s, hold: 1s, headers: ${headers}${more} }
`;

describe('headers of a plan', () => {
  it('are written as they were read', () => {
    const { plan } = parsePlan(text('{ X-Viewer: "{n}", Authorization: "Bearer $env:KEY" }'));
    expect(plan.pull?.headers).toEqual({ 'X-Viewer': '{n}', Authorization: 'Bearer $env:KEY' });
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each([
    ['{ Host: other }', 'The header Host belongs to the request itself.'],
    ['{ Content-Length: "0" }', 'The header Content-Length belongs to the request itself.'],
    ['{ "X Y": a }', '"X Y" is not the name of a header.'],
    ['{ X-Y: "a\\nb" }', 'The value of X-Y must have 1 to 1000 printable ASCII characters'],
    ['{ Authorization: Bearer abc }', 'The value of Authorization may be a secret'],
    ['{ X-Api-Key: abc }', 'The value of X-Api-Key may be a secret'],
    ['{ X-Y: "{token}" }', 'The headers contain {token}, but the audience has no tokens.'],
    ['{ X-Y: a, x-y: b }', 'The header x-y is written twice.'],
    ['{}', 'Write 1 to 20 headers.'],
  ])('%s is refused', (headers, sentence) => {
    expect(() => parsePlan(text(headers))).toThrow(sentence);
  });

  it('are for protocols over HTTP', () => {
    expect(() => parsePlan(text('{ X-Y: a }', 'rtmp'))).toThrow('Viewers over RTMP send no headers.');
    expect(headersFault({ headers: { Cookie: 'viewer={n}' } })).toBeUndefined();
  });
});
