import { describe, expect, it } from 'vitest';
import { effectiveTheme, nextTheme } from './themeChoice';

const system = { isDark: true, wantsContrast: false, forcesColours: false };

describe('the theme', () => {
  it('is the chosen one, whatever the desktop prefers', () => {
    for (const choice of ['dark', 'light', 'high-contrast'] as const)
      expect(effectiveTheme(choice, { ...system, wantsContrast: true })).toBe(choice);
  });

  it('follows the desktop if that is chosen', () => {
    expect(effectiveTheme('system', system)).toBe('dark');
    expect(effectiveTheme('system', { ...system, isDark: false })).toBe('light');
    expect(effectiveTheme('system', { ...system, isDark: false, wantsContrast: true })).toBe('high-contrast');
  });

  it('is the one with markers where the system replaces colours', () => {
    expect(effectiveTheme('light', { ...system, forcesColours: true })).toBe('high-contrast');
  });

  it('changes in a circle', () => {
    expect([nextTheme('dark'), nextTheme('light'), nextTheme('high-contrast')]).toEqual([
      'light',
      'high-contrast',
      'dark',
    ]);
  });
});
