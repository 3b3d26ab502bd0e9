import { streamAddresses, streamAddressKeys } from '../model/addressKeys';
import type { ConsentKind } from '../model/consentKind';
import { secretKinds } from '../model/nodeSettings';
import { optionNames, optionRows } from '../model/options';
import { planPaths } from './planPaths';

/**
 * What each field of a plan can do outside of the run itself. A field that is missing here fails a test: whoever adds
 * one decides whether the person has to be asked.
 */
export const fieldKinds: Readonly<Record<string, readonly ConsentKind[]>> = {
  'nodes.NAME.url': ['network'],
  'nodes.NAME.ws': ['network'],
  'nodes.NAME.control': ['network'],
  ...Object.fromEntries(streamAddressKeys.map((key) => [`nodes.NAME.${key}`, streamAddresses[key].consent])),
  'nodes.NAME.metrics': ['network'],
  'nodes.NAME.nodeExporter': ['network'],
  'nodes.NAME.prometheus': ['network'],
  'nodes.NAME.proxy': ['network'],
  // Sent to the address of `prometheus`.
  'nodes.NAME.queries': ['network'],
  'nodes.NAME.instance': ['network'],
  'nodes.NAME.allowCrossOrigin': ['network'],
  'nodes.NAME.ssh': ['network'],
  'nodes.NAME.jump': ['network'],
  'nodes.NAME.hosts': ['network'],
  // The users of a login, at the address of the node.
  'nodes.NAME.user': ['network'],
  'nodes.NAME.apiKey': ['network'],
  'nodes.NAME.keyFile': ['file'],
  'nodes.NAME.gcLog': ['file'],
  'nodes.NAME.config': ['file'],
  'nodes.NAME.inventory': ['file', 'network'],
  'nodes.NAME.familyFile': ['file', 'network'],
  ...Object.fromEntries(secretKinds.map((kind) => [`nodes.NAME.${kind}`, ['secret']])),
  'nodes.NAME.tester': ['cluster'],
  'nodes.NAME.kubeconfig': ['program', 'file', 'network', 'cluster'],
  'nodes.NAME.context': ['cluster'],
  'nodes.NAME.namespace': ['cluster'],
  'nodes.NAME.replicas': ['cluster'],
  'nodes.NAME.image': ['cluster'],
  'nodes.NAME.pullPolicy': ['cluster'],
  'nodes.NAME.resources': ['cluster'],
  'nodes.NAME.resources.cpu': ['cluster'],
  'nodes.NAME.resources.memory': ['cluster'],
  'nodes.NAME.resources.cpuLimit': ['cluster'],
  'nodes.NAME.nodeSelector': ['cluster'],
  'nodes.NAME.tolerations': ['cluster'],
  'nodes.NAME.tolerations.key': ['cluster'],
  'nodes.NAME.tolerations.operator': ['cluster'],
  'nodes.NAME.tolerations.value': ['cluster'],
  'nodes.NAME.tolerations.effect': ['cluster'],
  'nodes.NAME.hostNetwork': ['cluster'],
  // A name that is an address is where a WCS gets the stream from.
  'publish.stream': ['network'],
  'pull.stream': ['network'],
  'publish.source': ['file', 'network'],
  'publish.simulcast': ['file'],
  'pull.rooms.source': ['file'],
  'pull.turn.url': ['network'],
  'pull.turn.username': ['secret'],
  'pull.turn.password': ['secret'],
  'pull.turn.secret': ['secret'],
  'pull.tokens.file': ['file'],
  'pull.tokens.command': ['program'],
  'pull.tokens.secret': ['secret'],
  ...Object.fromEntries(optionNames.map((name) => [`pull.${name}`, optionRows[name].consent])),
  'hooks.run': ['program'],
  'hooks.post': ['network'],
  ...Object.fromEntries(
    [
      // Containers of the fields below them.
      ...['name', 'nodes', 'publish', 'pull', 'expect', 'stop', 'schedule', 'hooks'],
      ...['pull.network.burst', 'pull.network.steps', 'pull.network.steps.burst'],
      // What is known of a node, and how its certificate is checked at the address that it has.
      ...['server', 'process', 'atLeast', 'weights', 'selfSigned'].map((key) => `nodes.NAME.${key}`),
      // Names of this plan's nodes and streams, and how streams are sent to them.
      ...['node', 'by', 'publishers', 'oneRoom', 'rate', 'hold', 'search', 'protocol', 'dynacast'].map(
        (key) => `publish.${key}`,
      ),
      ...['from', 'by', 'by.tester', 'by.weight', 'protocol'].map((key) => `pull.${key}`),
      // The load, which goes to the plan's nodes only.
      ...['viewers', 'rate', 'hold', 'rooms.size'].map((key) => `pull.${key}`),
      ...['ramp', 'over', 'hold', 'step', 'by', 'rate', 'spike', 'for', 'soak', 'churn', 'every'].map(
        (key) => `pull.stages.${key}`,
      ),
      ...['pull', 'publish'].flatMap((load) =>
        ['from', 'max', 'settle', 'measure', 'repeats', 'precision'].map((key) => `${load}.search.${key}`),
      ),
      ...['', '.steps'].flatMap((level) =>
        [
          ...['preset', 'down', 'up', 'rtt', 'jitter', 'loss', 'queue', 'queuePackets'],
          ...['burst.p', 'burst.r', 'burst.h', 'burst.k'],
        ].map((key) => `pull.network${level}.${key}`),
      ),
      ...['pull.network.sharedBy', 'pull.network.steps.at'],
      ...['share', 'bitrate', 'selfSigned'].map((key) => `pull.turn.${key}`),
      // Tokens that the plan itself contains.
      ...['pull.tokens.template', 'pull.tokens.claims'],
      // What is judged, and when it starts.
      ...['connected', 'outages', 'degraded', 'cpu', 'gcPause', 'delay', 'SERIES'].map((key) => `expect.${key}`),
      ...['is', 'node', 'tolerance', 'grace'].map((key) => `expect.SERIES.${key}`),
      ...['at', 'repeat', 'every'].map((key) => `schedule.${key}`),
      'hooks.at',
    ].map((path) => [path, []]),
  ),
};

const meanings: Readonly<Record<ConsentKind, string>> = {
  program: 'starts a program on the machine of the console.',
  file: 'reads a file of that machine or of a host of the plan, or sends it.',
  secret: 'may name a secret (`$env:NAME`, `$secret:NAME`), which is sent to a node that the person did not add.',
  network: 'names an address that is contacted, or what is sent there.',
  cluster: 'chooses a cluster, or what runs in it.',
};

/** docs/consent.md. */
export function consentPage(): string {
  const kindsOf = (path: string): readonly ConsentKind[] => fieldKinds[path] ?? [];
  const asked = planPaths().filter((path) => kindsOf(path).length > 0);
  const kinds = Object.keys(meanings) as ConsentKind[];
  return (
    [
      '# What a plan may do',
      'Generated from `src/domain/consent/fieldKinds.ts`; a test fails for a field of a plan that is not in it. How consent\nis asked: [plans.md](plans.md#consent).',
      '## Fields that need consent',
      [
        `| field | ${kinds.join(' | ')} |`,
        `| --- | ${kinds.map(() => '---').join(' | ')} |`,
        ...asked.map(
          (path) => `| \`${path}\` | ${kinds.map((kind) => (kindsOf(path).includes(kind) ? 'x' : '')).join(' | ')} |`,
        ),
      ].join('\n'),
      kinds.map((kind) => `- \`${kind}\`: ${meanings[kind]}`).join('\n'),
      '## Fields that need none',
      'All others, see [plan-fields.md](plan-fields.md).',
    ].join('\n\n') + '\n'
  );
}
