import { expect, it } from 'vitest';
import type { UpdateState } from '../../../contract/updateCalls';
import { updateSentence } from './updateText';

const state: UpdateState = { current: '0.1.0', isOffline: false, address: 'https://p.example/', phase: 'idle' };
const offer = { version: '0.2.0', bytes: 3 * 2 ** 20, install: 'package' } as const;

it('states that nothing is requested without an address or an updater', () => {
  expect(updateSentence({ ...state, address: undefined }, undefined)).toMatch(/never looks for updates/);
  expect(updateSentence({ ...state, isOffline: true }, undefined)).toMatch(/no updater/);
});

it('states version, progress and how a package is installed', () => {
  expect(updateSentence({ ...state, phase: 'newest' }, '12:03')).toBe('0.1.0 is the newest version, checked 12:03.');
  expect(updateSentence({ ...state, phase: 'available', offer }, undefined)).toBe(
    'Version 0.2.0 is available (3.0 MiB).',
  );
  const progress = { percent: 33.4, bytes: 2 ** 20, bytesPerSecond: 2 ** 19 };
  expect(updateSentence({ ...state, phase: 'downloading', offer, progress }, undefined)).toBe(
    'Downloading 0.2.0: 33 %, 1.0 MiB of 3.0 MiB, 512 KiB/s.',
  );
  expect(updateSentence({ ...state, phase: 'ready', offer, path: '/home/qa/F_0.2.0_amd64.deb' }, undefined)).toContain(
    'sudo apt install ./F_0.2.0_amd64.deb',
  );
  const atQuit = { ...state, phase: 'ready', offer: { ...offer, install: 'at-quit' } } as const;
  expect(updateSentence(atQuit, undefined)).toBe('Version 0.2.0 is downloaded and verified.');
  expect(updateSentence({ ...atQuit, isConfirmed: true }, undefined)).toMatch(/installed when Fullhouse quits/);
});
