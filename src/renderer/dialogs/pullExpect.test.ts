import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../domain/node';
import { usualExpectations } from './pullExpect';

const origin = (server: NodeView['server'], measure?: readonly string[]): NodeView => ({
  id: 'origin',
  name: 'edge-1',
  role: 'origin',
  server,
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: 'edge-1',
  streams: [],
  can: measure && { publish: [], pull: [], play: [], serves: [], terminate: false, measure },
});
const tester: NodeView = { ...origin(undefined), role: 'tester', host: 'elsewhere' };
const textsOf = (node: NodeView) => usualExpectations(node, [tester]).texts;

describe('what a verdict expects unless somebody types otherwise', () => {
  it('is the rule of thumb where everything is measured', () => {
    const usual = usualExpectations(origin('wcs', ['CPU', 'GC']), [tester]);
    expect(usual).toEqual({ texts: { connected: '99', degraded: '1', cpu: '80', gcPause: '10' }, why: [] });
  });

  it('leaves out what nobody measures, and says so', () => {
    const usual = usualExpectations(origin('wcs', ['streams']), [tester]);
    expect(usual.texts).toMatchObject({ cpu: '', gcPause: '', degraded: '1' });
    expect(usual.why.map(({ id }) => id)).toEqual(['cpu', 'gcPause']);
    expect(usual.why[0]?.sentence).toContain('Nobody measures the CPU of edge-1');
    expect(usual.why[1]?.sentence).toContain('name its GC log');
    const [, livekit] = usualExpectations(origin('livekit', ['streams']), [tester]).why;
    expect(livekit?.sentence).toContain('the address of its metrics');
  });

  it('keeps GC pauses for servers that have no collector: they pass', () => {
    expect(textsOf(origin('srs', ['CPU'])).gcPause).toBe('10');
    expect(textsOf(origin('nginx-rtmp', ['CPU'])).gcPause).toBe('10');
    expect(textsOf(origin('generic', ['CPU'])).gcPause).toBe('');
  });

  it('expects everything while it is not known what is measured, and of the lab always', () => {
    expect(textsOf(origin('wcs'))).toMatchObject({ cpu: '80', gcPause: '10' });
    expect(textsOf(origin('lab', ['streams']))).toMatchObject({ cpu: '80', gcPause: '10' });
  });
});
