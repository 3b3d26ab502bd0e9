import { describe, expect, it } from 'vitest';
import { checkRan, endSentence, folderFault, startFault } from './remoteAgentFaults';

const elsewhere = 'set XDG_CACHE_HOME of its user to a folder elsewhere';

describe('a folder that can not be made', () => {
  it.each([
    [
      "mkdir: cannot create directory '/h/.cache': Permission denied",
      undefined,
      /since its user may not write there/,
    ],
    [
      "mkdir: can't create directory '/h/.cache': No such file or directory",
      '/h',
      /since the home folder \/h of its user does not exist\. Make it/,
    ],
    [
      'mkdir: /h/.cache: No space left on device',
      undefined,
      /since the disk is full\. Free some space there\.$/,
    ],
    ['mkdir: /h/.cache: Disk quota exceeded', undefined, /since the disk is full/],
    ['mkdir: /h: Read-only file system', '/h', /mounted read-only/],
    [
      'mkdir: /h/.cache: Transport endpoint is not connected',
      undefined,
      /the system says: mkdir: .*not connected\. Set XDG/,
    ],
  ])('%s', (said, missingHome, sentence) => {
    const { message } = folderFault('t', '/h/.cache/fullhouse', said, missingHome);
    expect(message).toMatch(/^t has no place for the agent: \/h\/\.cache\/fullhouse can't be made, /);
    expect(message).toMatch(sentence);
  });
});

describe('an agent that does not start', () => {
  const fault = (code: number | null, stderr: string, noexec?: string, signal?: string): string =>
    startFault('t', '/h/a', { code, stderr, stdout: '', ...(signal && { signal }) }, noexec).message;

  it.each([
    [
      fault(126, 'sh: 1: /h/a: Permission denied', '/h'),
      `t does not let the agent run: /h, which holds the home of its user, is mounted noexec. Mount it without that, or ${elsewhere}.`,
    ],
    [
      fault(126, 'sh: 1: /h/a: Permission denied'),
      `t does not let the agent run: its user may not run /h/a. Ask its administrator which folder programs may be run from, and ${elsewhere}.`,
    ],
    [
      fault(2, "the folder /h/f can't be written (permission denied); choose another folder with --home"),
      `The agent does not start on t: the folder /h/f can't be written (permission denied); ${elsewhere}.`,
    ],
    [
      fault(2, 'fatal error: out of memory\n\nruntime stack:\nruntime.throw()\n\t/go/x.go:1 +0x2'),
      'The agent does not start on t (out of memory): its user may have too little memory or too few processes. Raise its limits (ulimit -v, ulimit -u), or free some memory.',
    ],
    [
      fault(null, '', undefined, 'KILL'),
      'The agent does not start on t: the system ended it with SIGKILL, as it does where memory is short. Free some memory there and try again.',
    ],
    [fault(1, ''), 'The agent does not start on t: it ended with code 1 and did not say why.'],
  ])('%s', (said, sentence) => {
    expect(said).toBe(sentence);
  });
});

it('tells a broken link and a machine without processes from an answer', () => {
  const end =
    (code: number | null, stderr = '', signal?: string) =>
    () =>
      checkRan('t', { code, stdout: '', stderr, ...(signal && { signal }) });
  expect(end(null)).toThrow(/^The SSH connection to t broke/);
  expect(end(2, 'sh: 1: Cannot fork')).toThrow(/^t starts no further program/);
  expect(end(null, '', 'TERM')).not.toThrow();
  expect(end(1, 'No such file')).not.toThrow();
});

it.each([
  ['', 'has ended without a word, as when it is killed;'],
  [
    '2026/11/21 15:30:01 fullhouse-agent 0.1.0 (process 7) listens at 127.0.0.1:7.',
    'has ended without a word,',
  ],
  ['2026/11/21 15:30:01 the disk that holds /h is full', 'has ended (the disk that holds /h is full);'],
  ['\t/src/agent/main.go:12 +0x1d', 'has ended, by a fault of its own that agent.log in its home tells;'],
])('an agent has ended: %s', (words, part) => {
  expect(endSentence('t', words)).toContain(`The agent on t ${part}`);
});
