import { describe, expect, it } from 'vitest';
import { requireResult, agentEndMessage, folderFault, startFault } from './remoteAgentFaults';

const otherFolder = 'set XDG_CACHE_HOME of its user to another folder';

describe("a folder that can't be created", () => {
  it.each([
    ["mkdir: cannot create directory '/h/.cache': Permission denied", undefined, /its user may not write there/],
    [
      "mkdir: can't create directory '/h/.cache': No such file or directory",
      '/h',
      /its user's home folder \/h does not exist\. Create it/,
    ],
    ['mkdir: /h/.cache: No space left on device', undefined, /the disk is full\. Free some space there\.$/],
    ['mkdir: /h/.cache: Disk quota exceeded', undefined, /the disk is full/],
    ['mkdir: /h: Read-only file system', '/h', /mounted read-only/],
    ['mkdir: /h/.cache: Transport endpoint is not connected', undefined, /: mkdir: .*not connected\. Set XDG/],
  ])('%s', (output, missingHome, sentence) => {
    const { message } = folderFault('t', '/h/.cache/fullhouse', output, missingHome);
    expect(message).toMatch(/^t has no folder for the agent: can't create \/h\/\.cache\/fullhouse: /);
    expect(message).toMatch(sentence);
  });
});

describe('an agent that does not start', () => {
  const fault = (code: number | null, stderr: string, noexec?: string, signal?: string): string =>
    startFault('t', '/h/a', { code, stderr, stdout: '', ...(signal && { signal }) }, noexec).message;

  it.each([
    [
      fault(126, 'sh: 1: /h/a: Permission denied', '/h'),
      `t can't run the agent: /h with its user's home folder is mounted noexec. Remount it without noexec, or ${otherFolder}.`,
    ],
    [
      fault(126, 'sh: 1: /h/a: Permission denied'),
      `t can't run the agent: its user may not execute /h/a. Ask its administrator for a folder that allows executables, and ${otherFolder}.`,
    ],
    [
      fault(2, 'the folder /h/f is not writable (permission denied); choose another folder with --state-dir'),
      `The agent failed to start on t: the folder /h/f is not writable (permission denied); ${otherFolder}.`,
    ],
    [
      fault(2, 'fatal error: out of memory\n\nruntime stack:\nruntime.throw()\n\t/go/x.go:1 +0x2'),
      'The agent failed to start on t (out of memory): its user may have reached a memory or process limit. Raise its limits (ulimit -v, ulimit -u), or free some memory.',
    ],
    [
      fault(null, '', undefined, 'KILL'),
      'The agent failed to start on t: the system ended it with SIGKILL, usually because memory ran out. Free some memory there and try again.',
    ],
    [fault(1, ''), 'The agent failed to start on t: exit code 1, no output.'],
  ])('%s', (message, sentence) => {
    expect(message).toBe(sentence);
  });
});

it('distinguishes a broken link and a full process table from a result', () => {
  const end =
    (code: number | null, stderr = '', signal?: string) =>
    () =>
      requireResult('t', { code, stdout: '', stderr, ...(signal && { signal }) });
  expect(end(null)).toThrow(/^The SSH connection to t broke/);
  expect(end(2, 'sh: 1: Cannot fork')).toThrow(/^t can't start another process/);
  expect(end(null, '', 'TERM')).not.toThrow();
  expect(end(1, 'No such file')).not.toThrow();
});

it.each([
  ['', 'has ended without a message, as when killed;'],
  ['2026/11/21 15:30:01 fullhouse-agent 0.1.0 (process 7) listens at 127.0.0.1:7.', 'has ended without a message,'],
  ['2026/11/21 15:30:01 the disk that holds /h is full', 'has ended (the disk that holds /h is full);'],
  ['\t/src/agent/main.go:12 +0x1d', 'crashed (details in agent.log in its home folder);'],
])('an agent has ended: %s', (words, part) => {
  expect(agentEndMessage('t', { lastLogLine: words, isOrderly: false })).toContain(`The agent on t ${part}`);
});

it('an agent was stopped', () => {
  expect(agentEndMessage('t', { lastLogLine: '', isOrderly: true })).toBe(
    'The agent on t was stopped; start again to restart it.',
  );
});
