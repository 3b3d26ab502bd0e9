import type { Audience } from '../model/plan';
import { isByProcess, maxProcesses, protocolNames } from '../model/protocols';

/** A field of a plan that is not possible, and why in one sentence. */
export interface ProcessFault {
  readonly field: string;
  readonly sentence: string;
}

/** What an audience requests that viewers by ffmpeg can't do; undefined if nothing is. */
export function processFault({
  protocol,
  by,
  viewers,
  stages,
  search,
  network,
}: Pick<Audience, 'protocol' | 'by' | 'viewers' | 'stages' | 'search' | 'network'>): ProcessFault | undefined {
  if (!isByProcess(protocol)) return undefined;
  const name = protocolNames[protocol];
  if (network)
    return {
      field: 'network',
      sentence: `Viewers over ${name} are processes of ffmpeg, whose network can't be simulated. Remove the network.`,
    };
  const most = search?.maxViewers ?? viewers;
  const limit = by.length * maxProcesses;
  if (most <= limit) return undefined;
  return {
    field: search ? 'search' : stages ? 'stages' : 'viewers',
    sentence: `${most} viewers over ${name} are too many: each is a process of ffmpeg, max ${maxProcesses} per tester. Write ${limit} or fewer, or add testers.`,
  };
}

/** What the dialog says about viewers of a protocol; undefined if nothing. */
export function processRemark(protocol: Audience['protocol'] | undefined): string | undefined {
  return protocol !== undefined && isByProcess(protocol)
    ? `Each viewer over ${protocolNames[protocol]} is a process of the tester's ffmpeg: max ${maxProcesses} per tester, at a much higher cost than other viewers.`
    : undefined;
}
