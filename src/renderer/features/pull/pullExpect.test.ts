import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import { defaultExpectationsFor } from './pullExpect';

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
const textsOf = (node: NodeView) => defaultExpectationsFor(node, [tester]).texts;

describe('default expectations of a verdict', () => {
  it('are the rules of thumb if everything is measured', () => {
    const usual = defaultExpectationsFor(origin('wcs', ['CPU', 'GC']), [tester]);
    expect(usual).toEqual({
      texts: { connected: '99', outages: '5', degraded: '1', cpu: '80', gcPause: '10' },
      why: [],
    });
  });

  it('omit what is not measured, with a reason', () => {
    const usual = defaultExpectationsFor(origin('wcs', ['streams']), [tester]);
    expect(usual.texts).toMatchObject({ cpu: '', gcPause: '', degraded: '1' });
    expect(usual.why.map(({ id }) => id)).toEqual(['cpu', 'gcPause']);
    expect(usual.why[0]?.sentence).toContain('No CPU data from edge-1');
    expect(usual.why[1]?.sentence).toContain('set its GC log path');
    const [, livekit] = defaultExpectationsFor(origin('livekit', ['streams']), [tester]).why;
    expect(livekit?.sentence).toContain('its metrics address');
  });

  it('keep GC pauses for servers without a garbage collector: they pass', () => {
    expect(textsOf(origin('srs', ['CPU'])).gcPause).toBe('10');
    expect(textsOf(origin('nginx-rtmp', ['CPU'])).gcPause).toBe('10');
    expect(textsOf(origin('generic', ['CPU'])).gcPause).toBe('');
  });

  it('expect everything while it is unknown what is measured, and always of the lab', () => {
    expect(textsOf(origin('wcs'))).toMatchObject({ cpu: '80', gcPause: '10' });
    expect(textsOf(origin('lab', ['streams']))).toMatchObject({ cpu: '80', gcPause: '10' });
  });
});
