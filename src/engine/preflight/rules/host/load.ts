import { everywhere, pass, unread, warn, type PreflightRule } from '../../rule';
import { coresOf, cpuInfo } from '../../text/machine';
import { about } from '../../text/numbers';

const loadAverage = '/proc/loadavg';

export const load: PreflightRule = {
  id: 'host.load',
  title: 'Load before the test',
  checks: 'load1 against the number of processors, while nobody watches yet.',
  why: 'What else runs on the machine is measured with the server and taken for its cost.',
  good: 'at most a quarter of the processors',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams? (load against cores)',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: loadAverage }, { file: cpuInfo }],
  judge: (facts, { node }) => {
    const value = Number(facts.file(loadAverage).split(' ')[0]);
    if (!Number.isFinite(value)) return unread(`${loadAverage} of ${node} holds no figure.`);
    const cores = coresOf(facts);
    const sentence = `load1 of ${node} is ${about(Math.round(value * 10) / 10)} on ${cores} processors before anybody watches.`;
    return value <= Math.max(0.5, cores / 4)
      ? pass(sentence)
      : warn(sentence, 'ps -eo pid,comm,pcpu --sort=-pcpu | head   # what takes it');
  },
};
