import { everywhere, pass, warn, type PreflightRule } from '../../rule';

const governors = '/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor';

export const cpuGovernor: PreflightRule = {
  id: 'kernel.cpu-governor',
  title: 'CPU governor',
  checks: 'The governor of every processor.',
  why: 'A processor that first has to wake up is late for the packets of a frame, and CPU figures at a low clock look worse than they are.',
  good: 'performance, or none as on virtual machines',
  source: 'Linux: CPU Performance Scaling',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ files: governors }],
  judge: (facts, { node }) => {
    const names = [...new Set(facts.files(governors).map(({ text }) => text.trim()))];
    if (names.length === 0) return pass(`${node} has no governor; its host decides on the clock.`);
    return names.every((name) => name === 'performance')
      ? pass(`The governor of ${node} is performance.`)
      : warn(
          `The governor of ${node} is ${names.join(' and ')}; performance is wanted for a test.`,
          `echo performance | sudo tee ${governors}`,
        );
  },
};
