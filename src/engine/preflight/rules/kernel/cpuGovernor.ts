import { everywhere, pass, warn, type PreflightRule } from '../../rule';

const governors = '/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor';

export const cpuGovernor: PreflightRule = {
  id: 'kernel.cpu-governor',
  title: 'CPU governor',
  checks: 'The governor of every processor.',
  why: "A processor that wakes up from a low clock sends a frame's packets late, and CPU figures at a low clock are too high.",
  good: 'performance, or none, as on virtual machines',
  source: 'Linux: CPU Performance Scaling',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ files: governors }],
  judge: (facts, { node }) => {
    const names = [...new Set(facts.files(governors).map(({ text }) => text.trim()))];
    if (names.length === 0) return pass(`${node} has no governor; its host controls the clock.`);
    return names.every((name) => name === 'performance')
      ? pass(`The governor of ${node} is performance.`)
      : warn(
          `The governor of ${node} is ${names.join(' and ')}; recommended for a test: performance.`,
          `echo performance | sudo tee ${governors}`,
        );
  },
};
