import { onTester, pass, warn, type PreflightRule } from '../../rule';

export const sharedMachine: PreflightRule = {
  id: 'tester.shared-host',
  title: 'Separate machine',
  checks: "Whether the tester runs on the origin's machine, by boot ids, else by addresses.",
  why: "Both share the processors, so the origin's CPU includes the tester's, and no traffic passes the network.",
  good: 'different machines',
  source: 'Fullhouse: docs/architecture.md (Figures of nodes that share a host)',
  applies: onTester,
  needs: [],
  judge: (_facts, { node, origin, sharedWith: others, unsure = [] }) => {
    if (origin && others.includes(origin.node))
      return warn(
        `${node} and ${origin.node} run on the same machine: its CPU, memory and links are shared, and no network is tested.`,
        'Pull from another machine: add it as a tester and name it in pull.by.',
      );
    const both = `${node} and ${origin?.node ?? 'the origin'}`;
    return origin && unsure.includes(origin.node)
      ? pass(`${both} have different addresses; their boot ids could not be read.`)
      : pass(`${both} run on different machines.`);
  },
};
