import { expect, it } from 'vitest';
import { whyUnknown } from './whyUnknown';

const exact = { offsetMs: 3000, uncertaintyMs: 1.5, roundTripMs: 2 };
const vague = { offsetMs: 3000, uncertaintyMs: 72.1, roundTripMs: 144 };

it('a clock page draws the time that it knows, and keeps it through a short interruption', () => {
  expect(whyUnknown({ estimate: exact, silentMs: 100, isRefused: false })).toBeUndefined();
  expect(whyUnknown({ estimate: exact, silentMs: 29_000, isRefused: true })).toBeUndefined();
});

it('a clock page says whether it has no connection, is one too many, or knows the time too vaguely', () => {
  const none = { estimate: undefined, silentMs: Number.POSITIVE_INFINITY };
  expect(whyUnknown({ ...none, isRefused: false })).toBe('No connection to the console, so its time is not known');
  expect(whyUnknown({ ...none, isRefused: true })).toBe(
    'Too many clock pages of this console are open: close one of them',
  );
  expect(whyUnknown({ estimate: exact, silentMs: 31_000, isRefused: false })).toMatch(/^No connection/);
  expect(whyUnknown({ estimate: vague, silentMs: 100, isRefused: false })).toBe(
    "The console's time is known to ± 73 ms only, and drawn from ± 50 ms: use a faster network",
  );
});
