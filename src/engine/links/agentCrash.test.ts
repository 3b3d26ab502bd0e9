import { expect, it } from 'vitest';
import { crashFix, crashReason } from './agentCrash';

it.each([
  ['fatal error: runtime: cannot allocate memory', 'runtime: cannot allocate memory', 'ulimit'],
  ['fatal error: newosproc', 'newosproc', 'ulimit'],
  ['panic: runtime error: index out of range [3] with length 3', 'runtime error: index out of range [3]', 'report'],
])('%s', (line, reason, fix) => {
  expect(crashReason(line)).toContain(reason);
  expect(crashFix(crashReason(line) ?? '')).toContain(fix);
});

it('finds no reason in other lines', () => {
  expect(crashReason('goroutine 1 [running]:')).toBeUndefined();
  expect(crashReason('the fatal error: of another program')).toBeUndefined();
});
