import { describe, expect, it } from 'vitest';
import {
  endedRemoteAgent,
  ensureRemoteAgent,
  removeRemoteAgent,
  stopRemoteAgent,
  type AgentHost,
} from './remoteAgent';
import type { SshResult } from './ssh/sshLink';

const ok = (stdout = ''): SshResult => ({ code: 0, stdout, stderr: '' });
const broken: SshResult = { code: null, stdout: '', stderr: '' };

/** A host that gives these answers, one after the other. */
function hostOf(...answers: readonly SshResult[]): AgentHost {
  const left = [...answers];
  const no = (): Promise<never> => Promise.reject(new Error('This was not to be asked.'));
  return { run: () => Promise.resolve(left.shift() ?? broken), upload: no, connect: no };
}

describe('a link that breaks', () => {
  const lost = /^The SSH connection to t broke while its agent was seen to; try again\.$/;

  it('is not told as a missing home', async () => {
    const starting = ensureRemoteAgent(hostOf(broken), { who: 't', agentFolder: '', samplesFolder: '' });
    await expect(starting).rejects.toMatchObject({
      code: 'link-lost',
      message: expect.stringMatching(lost) as string,
    });
  });

  it.each([1, 2, 3])('is not told as nothing left (after %i answers)', async (answers) => {
    const host = hostOf(...[ok('/h/.cache/fullhouse'), ok(), ok()].slice(0, answers));
    await expect(removeRemoteAgent(host, 't')).rejects.toThrow(lost);
  });

  it('is not told as the end of the agent', async () => {
    await expect(endedRemoteAgent(hostOf(ok('/h/f'), broken), 't')).rejects.toThrow(lost);
  });
});

it('tells what is left, and of an agent that does not end', async () => {
  expect(await removeRemoteAgent(hostOf(ok('/h/f'), ok(), ok(), ok('process 7\n')), 't')).toEqual([
    'process 7',
  ]);
  const stubborn = {
    code: 2,
    stdout: '',
    stderr: 'the agent (process 7) does not end, not even when killed\n',
  };
  await expect(stopRemoteAgent(hostOf(ok('/h/f'), stubborn), 't')).rejects.toThrow(
    'The agent on t could not be ended: the agent (process 7) does not end, not even when killed.',
  );
});

describe('whether an agent has ended', () => {
  const state =
    '"pid":7,"address":"127.0.0.1:1","token":"0123456789abcdef","instance":"i","protocol":1,"agent":"0.1.0","role":"audience","sha256":"s","startedMs":1';
  const ended = (stdout: string): Promise<string | undefined> =>
    endedRemoteAgent(hostOf(ok('/h/f'), ok(stdout)), 't');

  it.each([
    ['alive', `{"type":"status","alive":true,${state}}\n`, undefined],
    [
      'alive, by one of two programs',
      `{"type":"status","alive":false}\n{"type":"status","alive":true,${state}}\n`,
      undefined,
    ],
    [
      'ended with a word',
      `{"type":"status","alive":false,${state},"lastWords":"the disk is full"}\n`,
      'the disk is full',
    ],
    ['never there', '{"type":"status","alive":false}\n', ''],
    ['nobody can say', '', undefined],
  ])('%s', async (_, stdout, words) => {
    expect(await ended(stdout)).toBe(words);
  });
});
