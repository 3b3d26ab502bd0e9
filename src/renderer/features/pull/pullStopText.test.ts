import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import type { TesterKind } from '../../../domain/model/nodeSettings';
import { pullStopText } from './pullStopText';

const tester = (name: string, kind: TesterKind): NodeView => ({
  id: name,
  name,
  role: 'tester',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: name,
  streams: [],
  settings: { tester: kind },
});
const here = tester('local', 'local');
const [first, second] = [tester('tester-1', 'ssh'), tester('tester-2', 'ssh')];
const wcs = tester('wcs-2', 'wcs');

describe('how a pull ends', () => {
  it('is described for each kind of tester', () => {
    expect(pullStopText([here], 'at 17:45:00')).toBe(
      'Stops at 17:45:00, or on Stop all. If the app exits, it stops here after 10 s',
    );
    expect(pullStopText([first, second], undefined)).toBe(
      'Stops on Stop all. If the app exits, it stops on tester-1 and tester-2 after 120 s',
    );
    expect(pullStopText([wcs], undefined)).toBe('Stops on Stop all. If the app exits, wcs-2 keeps pulling');
    expect(pullStopText([here, first, wcs], undefined)).toBe(
      'Stops on Stop all. If the app exits, it stops here after 10 s, on tester-1 after 120 s, but wcs-2 keeps pulling',
    );
    expect(pullStopText([first, second, tester('tester-3', 'ssh')], undefined)).toContain('on 3 testers after 120 s');
  });

  it('treats a tester without settings as this machine', () => {
    expect(pullStopText([{ ...here, settings: undefined }], undefined)).toContain('here after 10 s');
  });
});
