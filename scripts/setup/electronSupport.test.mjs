import { describe, expect, it } from 'vitest';
import { endOfLife } from './electronSupport.mjs';

describe('an Electron that is packaged', () => {
  it.each(['45.4.1', '44.0.0', '43.9.9', '46.0.0'])('may be %s while 45 is the latest', (version) => {
    expect(endOfLife(version, '45.4.1')).toBeUndefined();
  });

  it.each([
    [
      '42.7.0',
      '45.4.1',
      'Electron 42.7.0 gets no security fixes any more: Electron supports its latest three majors, now 43 to 45.',
    ],
    [
      '45.4.1',
      '48.0.0',
      'Electron 45.4.1 gets no security fixes any more: Electron supports its latest three majors, now 46 to 48.',
    ],
    [
      '22.3.25',
      '45.4.1',
      'Electron 22.3.25 gets no security fixes any more: Electron supports its latest three majors, now 43 to 45.',
    ],
  ])('may not be %s while %s is the latest', (version, newest, sentence) => {
    expect(endOfLife(version, newest)).toBe(sentence);
  });
});
