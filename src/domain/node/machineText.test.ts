import { expect, it } from 'vitest';
import { machineText } from './machineText';

it.each([
  [2, 'Intel(R) Xeon(R) CPU @ 2.20GHz', '2 × Intel(R) Xeon(R) CPU @ 2.20GHz, 23.5 GiB'],
  [2, '', '2 cores, 23.5 GiB'],
  [1, ' ', '1 core, 23.5 GiB'],
  [0, '', 'Unknown CPU, 23.5 GiB'],
])('%i %j', (cores, cpuModel, text) => {
  const machine = { system: '', kernel: '', cpuModel, cores, memoryBytes: 23.5 * 2 ** 30, versions: {} };
  expect(machineText(machine)).toBe(text);
});
