import { describe, expect, it } from 'vitest';
import { lineMatches, parseKnownHosts } from './knownHosts';

const matches = (pattern: string, name: string): boolean =>
  parseKnownHosts(`${pattern} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE==`).some((line) => lineMatches(line, name));

describe('a pattern of known_hosts', () => {
  it.each([
    ['*', 'edge', true],
    ['*.lab.example', 'box.lab.example', true],
    ['*.lab.example', 'lab.example', false],
    ['10.0.0.?', '10.0.0.9', true],
    ['10.0.0.?', '10.0.0.99', false],
    ['e*g*e', 'edge', true],
    ['e*x*e', 'edge', false],
    ['*a*ab', 'aaab', true],
    ['edge**', 'edge', true],
    ['[10.0.0.9]:2222', '[10.0.0.9]:2222', true],
    ['(.+)+', 'edge', false],
  ])('%s and %s: %s', (pattern, name, isMatch) => {
    expect(matches(pattern, name)).toBe(isMatch);
  });

  it('may exceed the length of a regular expression', () => {
    expect(matches(`y${'x'.repeat(100_000)}`, 'edge')).toBe(false);
    expect(matches(`${'*a'.repeat(50_000)}`, 'a'.repeat(64))).toBe(false);
  });
});
