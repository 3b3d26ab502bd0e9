import { describe, expect, it } from 'vitest';
import { usualMedia } from '../domain/model/publishMedia';
import { settings, settingsChange } from './shell';

describe('settings', () => {
  it('of older versions still open, and an unknown time zone falls back to the default', () => {
    expect(settings.parse({ theme: 'light', timeZone: 'utc' })).toEqual({ theme: 'light', timeZone: 'utc' });
    expect(settings.parse({ timeZone: 'Asia/Kolkata' }).timeZone).toBe('Asia/Kolkata');
    expect(settings.parse({ timeZone: 'Mars/Olympus' }).timeZone).toBe('local');
    expect(settings.parse({ theme: 'high-contrast' }).theme).toBe('high-contrast');
    expect(settings.parse({ theme: 'sepia' }).theme).toBe('dark');
  });

  it('of a newer version still open: a last publication with an unknown source or codec is forgotten', () => {
    const lastPublish = { stream: 'cam', source: 'window', protocol: 'livekit', media: usualMedia, camera: 'c1' };
    expect(settings.parse({ lastPublish }).lastPublish).toEqual(lastPublish);
    expect(settings.parse({ lastPublish: { stream: 'cam', source: 'camera' } }).lastPublish?.stream).toBe('cam');
    for (const newer of [{ source: 'hologram' }, { media: { ...usualMedia, codec: 'av2' } }, { protocol: 'moq' }]) {
      const kept = settings.parse({ theme: 'light', lastPublish: { ...lastPublish, ...newer } });
      expect([kept.theme, kept.lastPublish]).toEqual(['light', undefined]);
      expect(settingsChange.safeParse({ lastPublish: { ...lastPublish, ...newer } }).success).toBe(false);
    }
  });

  it('keep the hours of a wall that is switched off, and take the form of older versions', () => {
    const wallNight = { from: '21:30', until: '07:00', isOff: true };
    expect(settings.parse({ wallNight }).wallNight).toEqual(wallNight);
    expect(settingsChange.parse({ wallNight })).toEqual({ wallNight });
    expect(settings.parse({ wallNight: 'off' }).wallNight).toBe('off');
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
