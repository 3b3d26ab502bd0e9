import { everywhere, fail, pass, warn, type PreflightRule } from '../../rule';
import { memInfo, memory } from '../../text/machine';
import { gib } from '../../text/numbers';

export const freeMemory: PreflightRule = {
  id: 'host.memory',
  title: 'Free memory',
  checks: 'MemAvailable against MemTotal.',
  why: 'When memory is short the kernel reclaims pages of running programs, which stalls them for milliseconds to seconds.',
  good: 'at least 20 %; below 5 % fails',
  source: 'StreamHub: Capacity planning & latency tuning (alert above 85 % used)',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: memInfo }],
  judge: (facts, { node }) => {
    const [total, available] = [memory(facts, 'MemTotal'), memory(facts, 'MemAvailable')];
    const sentence = `${gib(available)} of ${gib(total)} are available on ${node}.`;
    const fix = 'ps -eo pid,comm,rss --sort=-rss | head   # largest processes';
    if (available < total * 0.05) return fail(sentence, fix);
    return available < total * 0.2 ? warn(sentence, fix) : pass(sentence);
  },
};
