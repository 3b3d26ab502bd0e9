import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../domain/node';
import type { TesterKind } from '../../domain/nodeSettings';
import { endsByItself } from './pullEnds';

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
  it('is told for each kind of tester', () => {
    expect(endsByItself([here], 'at 17:45:00')).toBe(
      'Stops itself at 17:45:00, or on Stop all. Once this app is gone, it ends here after 10 s',
    );
    expect(endsByItself([first, second], undefined)).toBe(
      'Stops on Stop all. Once this app is gone, it ends on tester-1 and tester-2 after 120 s',
    );
    expect(endsByItself([wcs], undefined)).toBe(
      'Stops on Stop all. Once this app is gone, wcs-2 keeps pulling',
    );
    expect(endsByItself([here, first, wcs], undefined)).toBe(
      'Stops on Stop all. Once this app is gone, it ends here after 10 s, on tester-1 after 120 s, but wcs-2 keeps pulling',
    );
    expect(endsByItself([first, second, tester('tester-3', 'ssh')], undefined)).toContain(
      'on 3 testers after 120 s',
    );
  });

  it('takes a tester without settings for this machine', () => {
    expect(endsByItself([{ ...here, settings: undefined }], undefined)).toContain('here after 10 s');
  });
});
