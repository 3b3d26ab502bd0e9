import { expect, it } from 'vitest';
import { failureDetails } from './failureActions';

it('has the message, the stack and the cause of an error', () => {
  const details = failureDetails('Charts', new Error('outer', { cause: new TypeError('inner') }));
  expect(details).toMatch(/^Charts failed\.\nError: outer\n {4}at /);
  expect(details).toContain('\nCaused by: TypeError: inner\n');
});

it('describes what is no error, and ends with errors that cause each other', () => {
  expect(failureDetails('Charts', 'text')).toBe('Charts failed.\n"text"');
  const [a, b] = [new Error('a'), new Error('b')];
  a.cause = b;
  b.cause = a;
  expect(failureDetails('Charts', a).split('Caused by').length).toBe(5);
});
