import { fail, pass, type PreflightRule } from '../../rule';
import { cpuFlags, cpuInfo } from '../../text/machine';

export const aes: PreflightRule = {
  id: 'host.aes',
  title: 'AES instructions',
  checks: 'The flag `aes` of the processor.',
  why: 'WebRTC encrypts every packet for every viewer; without the instructions that costs several times as much.',
  good: 'present; for a virtual machine the host must pass it on',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams? (lscpu | grep -o aes)',
  isOfMachine: true,
  applies: ({ protocols, role }) => role === 'origin' || protocols.includes('whep') || protocols.includes('wcs'),
  needs: [{ file: cpuInfo }],
  judge: (facts, { node }) =>
    cpuFlags(facts).includes('aes')
      ? pass(`The processor of ${node} has AES instructions.`)
      : fail(
          `The processor of ${node} has no AES instructions.`,
          'Choose a processor type that passes "aes" on to the virtual machine, e.g. host in KVM.',
        ),
};
