import { onTester, pass, warn, type PreflightRule } from '../../rule';

export const together: PreflightRule = {
  id: 'tester.together',
  title: 'Separate machine',
  checks: 'Whether the tester runs on the machine of the origin, by their boot ids, else by their addresses.',
  why: "Both take the same processors, so the origin's CPU is partly the tester's, and nothing passes the network.",
  good: 'different machines',
  source: 'Fullhouse: docs/architecture.md (Figures of nodes that share a host)',
  applies: onTester,
  needs: [],
  judge: (_facts, { node, origin, together: others, unsure = [] }) => {
    if (origin && others.includes(origin.node))
      return warn(
        `${node} and ${origin.node} run on the same machine: its CPU, memory and links are shared, and no network is tested.`,
        'Pull from another machine: add it as a tester and name it in pull.by.',
      );
    const both = `${node} and ${origin?.node ?? 'the origin'}`;
    return origin && unsure.includes(origin.node)
      ? pass(`${both} have different addresses; whether they share a machine could not be read.`)
      : pass(`${both} run on different machines.`);
  },
};
