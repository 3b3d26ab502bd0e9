import { expect, it } from 'vitest';
import { positionIn } from './planPosition';

const text = `name: x
nodes:
  origin: { server: lab }
  "load.a": { tester: ssh, ssh: qa@10.0.0.9 }
pull:
  - stream: cam
    by: [load.a, b]
  - stream: second
    network:
      rtt: 80ms
stop: ["degraded > 20% for 30s"]
expect: { rttP95Ms: "<= 50ms" }
`;

it.each([
  ['name', 1, 7],
  ['nodes.origin.server', 3, 21],
  ['nodes.load.a.ssh', 4, 33],
  ['pull.stream', 6, 13],
  ['pull.by.1', 7, 18],
  ['also.0.stream', 8, 13],
  ['also.0.network', 9, 5],
  ['also.0.network.rtt', 10, 12],
  ['stopWhen.0', 11, 8],
  ['thresholds.0.node', 12, 1],
  // What is not in the text is where it belongs.
  ['pull.protocol', 6, 5],
  ['nodes.absent.whep', 2, 1],
  ['nothing', 1, 1],
])('finds %s', (path, line, column) => {
  expect(positionIn(text)(path)).toEqual({ line, column });
});

it('finds the field of a single audience', () => {
  expect(positionIn('name: x\npull: { stream: cam, viewers: 5 }\n')('pull.viewers')).toEqual({ line: 2, column: 31 });
});
