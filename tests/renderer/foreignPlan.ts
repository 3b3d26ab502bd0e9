import type { ClusterAccess } from '../../src/domain/consent/clusterAccess';
import { parsePlan } from '../../src/domain/plan/planYaml';

/** The plan of a run that a customer sent: nodes, programs and files that this console has never seen. */
export const foreignYaml = `name: Customer, evening peak
nodes:
  origin: { server: wcs, url: "http://203.0.113.20:8081", ssh: "ops@203.0.113.20", keyFile: /home/qa/.ssh/id_ed25519 }
  tester-1: { tester: ssh, ssh: "ops@203.0.113.31:2222", jump: "gate@203.0.113.5" }
  tester-2: { tester: ssh, ssh: "ops@203.0.113.32" }
  pods: { tester: kubernetes, kubeconfig: customer.yaml, namespace: load, image: "registry.example/agent:1", replicas: 4 }
  local: { tester: local }
pull:
  stream: livestream
  from: origin
  by: [tester-1, tester-2, pods, local]
  viewers: 500
  rate: 50/s
  hold: 5m
  tokens: { file: /home/qa/tokens.txt }
  turn: { url: "turn:203.0.113.40:3478?transport=udp", username: viewer, password: $secret:turn }
hooks:
  - { at: start, run: [./prepare.sh, --all] }
  - { at: end, post: "https://hooks.example/runs" }
`;

/** The same kind of plan with many nodes, long names and long addresses. */
export const longYaml = `name: Everything
nodes:
  origin: { server: srs, url: "http://media-server-in-the-basement.of.the.very-long-department.example.org:19850" }
${Array.from(
  { length: 100 },
  (_, i) =>
    `  load-generator-in-the-second-rack-number-${i + 1}: { tester: ssh, ssh: "performance-engineering@load-generator-${i + 1}.eu-central-1.compute.internal.example.org:22022" }`,
).join('\n')}
pull:
  stream: livestream
  from: origin
  by: [load-generator-in-the-second-rack-number-1]
  viewers: 500
  rate: 50/s
  hold: 5m
`;

export const foreignPlan = parsePlan(foreignYaml, 0).plan;

/** What the kubeconfig of the plan does, as the engine would read it. */
export const foreignCluster: ClusterAccess = {
  server: 'https://203.0.113.60:6443',
  context: 'customer',
  namespace: 'load',
  user: 'customer',
  plugin: { command: ['./aws-iam-authenticator', 'token', '-i', 'load'], variables: { AWS_PROFILE: 'load' } },
  files: [],
};
