import { catalogue } from './catalogue';
import { apis, type ClusterReading, commands, type Need } from './reading/need';
import { needKey } from './reading/facts';
import type { PreflightRule } from './rule';

const groups: Readonly<Record<string, string>> = {
  wcs: 'WCS, as an origin or a tester',
  srs: 'SRS',
  nginx: 'nginx-rtmp',
  livekit: 'LiveKit, and OpenVidu 3',
  kernel: 'Kernel',
  host: 'Machine',
  tester: 'Testers',
  kubernetes: 'Testers in a Kubernetes cluster',
};

/** The catalogue as Markdown, one table for each group; `docs/preflight.md` contains it between two marks. */
export function catalogueTable(rules: readonly PreflightRule[] = catalogue): string {
  return Object.entries(groups)
    .map(([group, title]) => {
      const ownRules = rules.filter(({ id }) => id.startsWith(`${group}.`));
      const rows = ownRules.map((rule) =>
        [
          `**${rule.title}** \`${rule.id}\``,
          rule.checks,
          rule.why,
          rule.needs.map(read).join(', ') || 'the plan',
          rule.good,
          rule.source,
        ]
          .map(cell)
          .join(' | '),
      );
      return [
        `### ${title}`,
        '',
        '| rule | what it checks | why | how it is read | good | source |',
        '| --- | --- | --- | --- | --- | --- |',
        ...rows.map((row) => `| ${row} |`),
      ].join('\n');
    })
    .join('\n\n');
}

function read(need: Need): string {
  if ('command' in need) return `\`${commands[need.command].join(' ')}\``;
  if ('api' in need) return `GET ${apis[need.api]}`;
  if ('cluster' in need) return `${clusterObjects[need.cluster]} of the cluster`;
  if ('process' in need) return '`/proc/PID/limits`';
  return `\`${needKey(need).replace(/^(every|configuration) /, '')}\``;
}

const clusterObjects: Readonly<Record<ClusterReading, string>> = {
  quotas: 'ResourceQuotas',
  networkPolicies: 'NetworkPolicies',
  nodes: 'nodes',
};

/** An unescaped bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|');
