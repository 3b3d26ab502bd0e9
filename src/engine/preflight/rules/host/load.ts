import { everywhere, pass, unread, warn, type PreflightRule } from '../../rule';
import { coresOf, cpuInfo } from '../../text/machine';
import { about } from '../../text/numbers';

const loadAverage = '/proc/loadavg';

export const load: PreflightRule = {
  id: 'host.load',
  title: 'Load before the test',
  checks: 'load1 against the number of processors, before the first viewer.',
  why: 'Other load on the machine is attributed to the server.',
  good: 'at most a quarter of the processors',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams? (load against cores)',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: loadAverage }, { file: cpuInfo }],
  judge: (facts, { node }) => {
    const value = Number(facts.file(loadAverage).split(' ')[0]);
    if (!Number.isFinite(value)) return unread(`${loadAverage} of ${node} contains no number.`);
    const cores = coresOf(facts);
    const sentence = `load1 of ${node} is ${about(Math.round(value * 10) / 10)} on ${cores} processors before the first viewer.`;
    return value <= Math.max(0.5, cores / 4)
      ? pass(sentence)
      : warn(sentence, 'ps -eo pid,comm,pcpu --sort=-pcpu | head   # busiest processes');
  },
};
