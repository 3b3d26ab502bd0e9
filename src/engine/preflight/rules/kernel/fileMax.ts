import { everywhere, fail, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber, sysctlNumbers, sysctlPath } from '../../text/sysctl';

export const fileMax: PreflightRule = {
  id: 'kernel.file-max',
  title: 'Open files of the system',
  checks: "fs.file-max against the files open now (fs.file-nr) plus the viewers' files.",
  why: 'At the limit no program on the machine can open a file, sshd included.',
  good: 'two files per viewer plus 10,000',
  source: 'Linux: sysctl/fs; SRS: Performance',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: sysctlPath('fs.file-max') }, { file: sysctlPath('fs.file-nr') }],
  judge: (facts, { node, viewers }) => {
    const limit = sysctlNumber(facts, 'fs.file-max');
    const [open = 0] = sysctlNumbers(facts, 'fs.file-nr');
    const needed = open + 2 * viewers + 10_000;
    const read = `Open files limit of ${node}: ${limit > 1e12 ? 'unlimited' : whole(limit)}, open now: ${whole(open)}`;
    return limit >= needed
      ? pass(`${read}; enough for ${whole(viewers)} viewers.`)
      : fail(`${read}; ${whole(needed)} are needed.`, sysctlFix(['fs.file-max', Math.max(needed, 1_000_000)]));
  },
};
