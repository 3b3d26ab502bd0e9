import { everywhere, fail, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber, sysctlNumbers, sysctlPath } from '../../text/sysctl';

export const fileMax: PreflightRule = {
  id: 'kernel.file-max',
  title: 'Open files of the system',
  checks: 'fs.file-max against what is open now (fs.file-nr) and what the viewers take.',
  why: 'At the limit no program of the machine can open anything, sshd included.',
  good: 'room for two files a viewer and 10,000 besides',
  source: 'Linux: sysctl/fs; SRS: Performance',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: sysctlPath('fs.file-max') }, { file: sysctlPath('fs.file-nr') }],
  judge: (facts, { node, viewers }) => {
    const most = sysctlNumber(facts, 'fs.file-max');
    const [open = 0] = sysctlNumbers(facts, 'fs.file-nr');
    const needed = open + 2 * viewers + 10_000;
    const read = `The system of ${node} may have ${most > 1e12 ? 'any number of' : whole(most)} open files, ${whole(open)} are open`;
    return most >= needed
      ? pass(`${read}; there is room for ${whole(viewers)} viewers.`)
      : fail(
          `${read}; ${whole(needed)} are wanted.`,
          sysctlFix(['fs.file-max', Math.max(needed, 1_000_000)]),
        );
  },
};
