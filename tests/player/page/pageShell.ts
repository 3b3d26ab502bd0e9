import type { ShellApi, ShellCallName, ShellOutput } from '../../../src/contract/shell';

/** The part of the desktop that the players side by side use: a quiet machine with two cores. */
export const pageShell: ShellApi = {
  call: <C extends ShellCallName>(name: C): Promise<ShellOutput<C>> => {
    if (name !== 'shell.processLoad') throw new Error(`The test page has no ${name}.`);
    return Promise.resolve({ cores: 2, machineBusyPercent: 20, windowCpuPercent: 15 } as ShellOutput<C>);
  },
  on: () => () => undefined,
  importDropped: () => Promise.reject(new Error('The test page imports nothing.')),
  platform: 'linux',
};
