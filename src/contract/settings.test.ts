import { describe, expect, it } from 'vitest';
import { settings, settingsChange } from './shell';

describe('settings', () => {
  it('of older versions still open, and a zone that is not known here is as if none was chosen', () => {
    expect(settings.parse({ theme: 'light', timeZone: 'utc' })).toEqual({ theme: 'light', timeZone: 'utc' });
    expect(settings.parse({ timeZone: 'Asia/Kolkata' }).timeZone).toBe('Asia/Kolkata');
    expect(settings.parse({ timeZone: 'Mars/Olympus' }).timeZone).toBe('local');
  });

  it('are changed one by one: a change of one sets no other back to its default', () => {
    expect(settingsChange.parse({ author: 'QA' })).toEqual({ author: 'QA' });
  });

  it('take no folder, no unknown zone and no unbounded time from the page', () => {
    for (const change of [
      { runsFolder: '/etc' },
      { exportsFolder: '/etc' },
      { timeZone: 'Mars/Olympus' },
      { agentIdleSeconds: 29 },
      { agentIdleSeconds: 901 },
      { unknown: 1 },
    ])
      expect(settingsChange.safeParse(change).success).toBe(false);
    expect(settingsChange.safeParse({ agentIdleSeconds: 300, theme: 'system' }).success).toBe(true);
  });
});
