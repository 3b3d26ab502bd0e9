import { describe, expect, it } from 'vitest';
import { endOfRemoteAgent, ensureRemoteAgent, removeRemoteAgent, stopRemoteAgent, type AgentHost } from './remoteAgent';
import type { SshResult } from './ssh/sshLink';

const ok = (stdout = ''): SshResult => ({ code: 0, stdout, stderr: '' });
const broken: SshResult = { code: null, stdout: '', stderr: '' };

/** A host that returns these results, one after the other. */
function hostOf(...answers: readonly SshResult[]): AgentHost {
  const left = [...answers];
  const no = (): Promise<never> => Promise.reject(new Error('Unexpected call.'));
  return { run: () => Promise.resolve(left.shift() ?? broken), upload: no, connect: no };
}

describe('a link that breaks', () => {
  const lost = /^The SSH connection to t broke during a command for its agent; try again\.$/;

  it('is not reported as a missing home', async () => {
    const starting = ensureRemoteAgent(hostOf(broken), { who: 't', agentFolder: '', samplesFolder: '' });
    await expect(starting).rejects.toMatchObject({
      code: 'link-lost',
      message: expect.stringMatching(lost) as string,
    });
  });

  it.each([1, 2, 3])('is not reported as nothing left (after %i results)', async (answers) => {
    const host = hostOf(...[ok('/h/.cache/fullhouse'), ok(), ok()].slice(0, answers));
    await expect(removeRemoteAgent(host, 't')).rejects.toThrow(lost);
  });

  it('is not reported as the end of the agent', async () => {
    await expect(endOfRemoteAgent(hostOf(ok('/h/f'), broken), 't')).rejects.toThrow(lost);
  });
});

it('reports what is left, and an agent that does not end', async () => {
  expect(await removeRemoteAgent(hostOf(ok('/h/f'), ok(), ok(), ok('process 7\n')), 't')).toEqual(['process 7']);
  const stubborn = {
    code: 2,
    stdout: '',
    stderr: 'the agent (process 7) does not end, not even when killed\n',
  };
  await expect(stopRemoteAgent(hostOf(ok('/h/f'), stubborn), 't')).rejects.toThrow(
    'The agent on t did not stop: the agent (process 7) does not end, not even when killed.',
  );
});

describe('whether an agent has ended', () => {
  const state =
    '"pid":7,"address":"127.0.0.1:1","token":"0123456789abcdef","instance":"i","protocol":3,"agent":"0.1.0","role":"audience","sha256":"s","startedMs":1';
  const ended = (stdout: string): Promise<unknown> => endOfRemoteAgent(hostOf(ok('/h/f'), ok(stdout)), 't');

  it.each([
    ['alive', `{"type":"status","alive":true,${state}}\n`, undefined],
    [
      'alive, by one of two programs',
      `{"type":"status","alive":false}\n{"type":"status","alive":true,${state}}\n`,
      undefined,
    ],
    [
      'ended with last words',
      `{"type":"status","alive":false,${state},"lastLogLine":"the disk is full"}\n`,
      { lastLogLine: 'the disk is full', isOrderly: false },
    ],
    ['killed', `{"type":"status","alive":false,${state}}\n`, { lastLogLine: '', isOrderly: false }],
    ['stopped, or never there', '{"type":"status","alive":false}\n', { lastLogLine: '', isOrderly: true }],
    ['unknown', '', undefined],
  ])('%s', async (_, stdout, words) => {
    expect(await ended(stdout)).toEqual(words);
  });
});
