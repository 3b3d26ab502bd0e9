import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from './clock';
import { findChromium, startChromium } from './chromium';
import { privateTempFolder } from './tempFolder';

describe.skipIf(process.platform === 'win32')('a Chromium', () => {
  it('is found on the PATH, by the first name that any folder has', () => {
    const [first, second] = [privateTempFolder(), privateTempFolder()];
    const PATH = ['', first.path, second.path].join(delimiter);
    try {
      if (process.platform === 'linux') expect(findChromium({ PATH })).toBeUndefined();
      writeFileSync(join(first.path, 'google-chrome'), '');
      expect(findChromium({ PATH })).toBe(join(first.path, 'google-chrome'));
      writeFileSync(join(second.path, 'chromium'), '');
      expect(findChromium({ PATH })).toBe(join(second.path, 'chromium'));
    } finally {
      first.remove();
      second.remove();
    }
  });

  it('that can not be started ends with a sentence', async () => {
    const browser = startChromium('/nowhere/chromium', 'http://127.0.0.1:1/', systemClock);
    expect(await browser.closed).toMatch(/^\/nowhere\/chromium could not be started: .*ENOENT\.$/);
    await browser.end();
  });
});
