import { describe, expect, it } from 'vitest';
import { settings, settingsChange } from './shell';

describe('settings', () => {
  it('of older versions still open, and an unknown time zone falls back to the default', () => {
    expect(settings.parse({ theme: 'light', timeZone: 'utc' })).toEqual({ theme: 'light', timeZone: 'utc' });
    expect(settings.parse({ timeZone: 'Asia/Kolkata' }).timeZone).toBe('Asia/Kolkata');
    expect(settings.parse({ timeZone: 'Mars/Olympus' }).timeZone).toBe('local');
  });

  it('are changed one by one: a change resets no other setting to its default', () => {
    expect(settingsChange.parse({ author: 'QA' })).toEqual({ author: 'QA' });
  });

  it('accept no folder, unknown time zone or unbounded time from the page', () => {
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
