import { expect, it } from 'vitest';
import { parseFound, pickProcesses, type ProcessCandidate } from './processPick';

const candidate = (pid: number, comm: string, ...args: string[]): ProcessCandidate => ({ pid, comm, args });

it("parses the host's candidates", () => {
  expect(parseFound('@found 12 java\tjava\t-Xmx2g\tcom.example.Server\t')).toEqual(
    candidate(12, 'java', 'java', '-Xmx2g', 'com.example.Server'),
  );
  expect(parseFound('@found 13 kworker/0:1\t')).toEqual(candidate(13, 'kworker/0:1'));
  expect(parseFound('@found-all 3')).toBeUndefined();
});

it('takes all processes of exactly that name, master and workers', () => {
  const found = [
    candidate(31, 'nginx', 'nginx: worker process'),
    candidate(30, 'nginx', 'nginx: master'),
    candidate(40, 'tail', 'tail', '/var/log/nginx/error.log'),
  ];
  expect(pickProcesses('nginx', found)).toEqual([30, 31]);
});

it('handles names truncated by the kernel', () => {
  expect(
    pickProcesses('media-server-of-the-house', [candidate(5, 'media-server-of', '/opt/media-server-of-the-house')]),
  ).toEqual([5]);
});

it('finds a program run by an interpreter, and no unrelated process', () => {
  const found = [
    candidate(8, 'bash', 'bash', '/opt/server/bin/start', 'com.example.Server'),
    candidate(9, 'java', 'java', '-cp', 'x.jar', 'com.example.Server'),
    candidate(10, 'java', 'java', 'com.example.ServerTool'),
  ];
  expect(pickProcesses('com.example.Server', found)).toEqual([9]);
  expect(pickProcesses('com.example.Server', found.slice(0, 1))).toEqual([]);
});

it('takes no process that has the name nowhere, such as the first of all', () => {
  const all = [candidate(1, 'systemd', '/sbin/init'), candidate(2, 'kthreadd'), candidate(9, 'node', 'node', 'a.js')];
  expect(pickProcesses('media-server', all)).toEqual([]);
  const withoutArguments = all.map(({ pid, comm }) => candidate(pid, comm));
  expect(pickProcesses('media-server', withoutArguments)).toEqual([]);
});
