import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { degradedCause, type ViewerWindow } from './degraded';
import { freezeThresholdMs } from './freeze';

interface Cases {
  readonly degraded: ReadonlyArray<ViewerWindow & { readonly name: string; readonly cause: string }>;
  readonly freezes: ReadonlyArray<{ readonly name: string; readonly averageMs: number; readonly thresholdMs: number }>;
}

/** `agent/internal/stats/rules_test.go` reads the same cases. */
const { degraded, freezes } = JSON.parse(
  readFileSync(join(__dirname, '../../../tests/fixtures/viewer-rules.json'), 'utf8'),
) as Cases;

it.each(degraded)('degraded: $name', ({ cause, ...seen }) => {
  expect(degradedCause(seen) ?? '').toBe(cause);
});

it.each(freezes)('freeze: $name', ({ averageMs, thresholdMs }) => {
  expect(freezeThresholdMs(averageMs)).toBe(thresholdMs);
});
