import { expect, it } from 'vitest';
import { samplePlan } from '../../../tests/support/samplePlan';
import { audienceHeaders } from './audienceHeaders';
import { audienceIn } from '../../../tests/support/pullPlan';

const pull = audienceIn(samplePlan());
const secrets = { value: ({ name }: { name: string }) => (name === 'BAD' ? 'a\r\nX: b' : `value of ${name}`) };

it('numbers the viewers of all testers and puts secrets in place of their references', () => {
  const next = audienceHeaders({ ...pull, headers: { 'X-Key': 'key $env:KEY', 'X-Viewer': '{n}' } }, secrets);
  const fields = [
    { name: 'X-Key', value: 'key value of KEY' },
    { name: 'X-Viewer', value: '{n}' },
  ];
  expect(next?.(3)).toEqual({ fields, firstViewer: 1 });
  expect(next?.(1)).toEqual({ fields, firstViewer: 4 });
});

it('refuses a secret with a second line, without showing it', () => {
  expect(() => audienceHeaders({ ...pull, headers: { 'X-Key': '$env:BAD' } }, secrets)).toThrow(
    /^The value of X-Key must have .* Enter its secret again\.$/,
  );
});
