import { onTester, pass, warn, type PreflightRule } from '../../rule';

export const together: PreflightRule = {
  id: 'tester.together',
  title: 'Machine of its own',
  checks: 'Whether the tester runs on the machine of the origin.',
  why: "Both take the same processors, so the origin's CPU is partly the tester's, and nothing passes the network.",
  good: 'different machines',
  source: 'Fullhouse: docs/architecture.md (Figures of nodes that share a host)',
  applies: onTester,
  needs: [],
  judge: (_facts, { node, origin, together: others }) =>
    origin && others.includes(origin.node)
      ? warn(
          `${node} and ${origin.node} run on the same machine: its CPU, memory and links are shared, and no network is tested.`,
          'Pull from another machine: add it as a tester and name it in pull.by.',
        )
      : pass(`${node} and ${origin?.node ?? 'the origin'} run on different machines.`),
};
