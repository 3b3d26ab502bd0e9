import type { Settings } from '../../contract/shell';
import type { NodeView } from '../../domain/model/node';
import type { SecretMask } from '../../domain/secrets/secretMask';

/** What a diagnostics file contains, before it is masked. */
export interface DiagnosticsFacts {
  readonly savedAt: string;
  /** Versions of app, Electron, Chromium and Node.js. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly system: Readonly<Record<string, string | number>>;
  readonly settings: Settings;
  /** The nodes, or why they are unknown. */
  readonly nodes: readonly NodeView[] | string;
  readonly updates: unknown;
  /** Names of the crash files, which are not included: a minidump contains memory. */
  readonly crashFiles: readonly string[];
  readonly log: readonly string[];
}

/**
 * The facts as JSON, with every known secret and every credential of an address masked. Nodes have what explains a
 * problem: how they are connected, and the versions of servers and agents.
 */
export function diagnosticsText({ nodes, log, ...facts }: DiagnosticsFacts, mask: SecretMask): string {
  const nodeText = typeof nodes === 'string' ? nodes : nodes.map(nodeFacts);
  return `${JSON.stringify(
    { format: 'fullhouse-diagnostics 1', ...facts, nodes: nodeText, log },
    (_key, value: unknown) => (typeof value === 'string' ? mask.text(value) : value),
    2,
  )}\n`;
}

function nodeFacts({
  id,
  name,
  role,
  server,
  state,
  problem,
  note,
  software,
  reach,
  settings,
  links,
  can,
  clock,
  machine,
  streamCount,
  secrets,
}: NodeView): Partial<NodeView> {
  return {
    ...{ id, name, role, server, software, state, problem, note, reach, links, clock, can, machine, streamCount },
    // The kinds only: whether a password is stored.
    ...{ settings, secrets },
  };
}
