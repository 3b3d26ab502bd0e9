import { expect, it } from 'vitest';
import { log, setLogLimit, setLogTarget } from './log';

it('writes masked sentences up to its level', () => {
  const written: string[] = [];
  setLogTarget({
    write: (sentence, level) => written.push(`${level} ${sentence}`),
    mask: (sentence) => sentence.replaceAll('hunter2', '***'),
    limit: 'info',
  });
  log.error('Login with hunter2 failed.');
  log.info('Started.');
  log.debug('Detail.');
  expect(written).toEqual(['error Login with *** failed.', 'info Started.']);
  setLogLimit('debug');
  log.debug('Detail.');
  expect(written[2]).toBe('debug Detail.');
});
