/**
 * Lists of the hosts of a tester group: a file with one host a line, or the INI form of an Ansible inventory. A fault
 * states the line and never its text: the path may lead to any file, and faults are saved in runs that are sent to others.
 */

export interface Inventory {
  /** SSH addresses, as in a node's settings. */
  readonly hosts: readonly string[];
  /** The first line that isn't understood, one sentence. */
  readonly fault?: string;
}

/** What can be an SSH address: `user@host:port`, `user@[v6]:port` or a name of ~/.ssh/config. */
const address = /^(?:[^\s@:[\]]+@)?(?:[A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:.%\w]+\])(?::\d{1,5})?$/;

export function hostFault(host: string): string | undefined {
  return address.test(host) ? undefined : `"${host}" is not an SSH address such as load-1 or qa@10.0.0.11:22.`;
}

/** `hosts.ini#load`: the file and the group of it. */
export function inventoryPath(inventory: string): { readonly path: string; readonly group?: string } {
  const at = inventory.lastIndexOf('#');
  return at <= 0 ? { path: inventory } : { path: inventory.slice(0, at), group: inventory.slice(at + 1) };
}

/** The hosts of a file; of an Ansible inventory those of `group`. */
export function readInventory(text: string, group?: string): Inventory {
  const reader = new InventoryReader(group);
  let hosts: readonly string[] = [];
  try {
    text.split(/\r?\n/).forEach((line, index) => reader.take(line, index + 1));
    hosts = reader.hosts();
  } catch (error) {
    if (!(error instanceof InventoryFault)) throw error;
    return { hosts: [], fault: error.message };
  }
  return { hosts };
}

class InventoryFault extends Error {}

interface HostLine {
  readonly line: number;
  readonly name: string;
  readonly variables: ReadonlyMap<string, string>;
}

/** Variables that do not change how a host is reached. */
const harmless = /^ansible_(python_interpreter|become\w*|shell_type)$/;
const known: ReadonlySet<string> = new Set(['ansible_host', 'ansible_user', 'ansible_port', 'ansible_connection']);
const maxRange = 500;

class InventoryReader {
  private section: string | undefined;
  private kind: 'hosts' | 'vars' | 'ignored' = 'hosts';
  private readonly found: HostLine[] = [];
  private readonly shared = new Map<string, string>();
  private hasGroup = false;

  constructor(private readonly group: string | undefined) {}

  take(written: string, line: number): void {
    const text = written.replace(/(^|\s)[#;].*$/, '').trim();
    if (text === '') return;
    const header = /^\[([^\]:]+)(?::(\w+))?\]$/.exec(text);
    if (header) return this.open(header[1] ?? '', header[2], line);
    if (this.kind === 'vars') return this.takeVariable(text, line);
    if (this.kind === 'hosts' && (this.group === undefined || this.section === this.group)) this.takeHost(text, line);
  }

  hosts(): readonly string[] {
    const { group } = this;
    if (group !== undefined && !this.hasGroup) throw new InventoryFault(`It has no group [${group}].`);
    if (this.found.length === 0) throw new InventoryFault('It lists no host.');
    const lines = new Map<string, number>();
    return this.found.map(({ name, variables, line }) => {
      const host = addressOf(name, new Map([...this.shared, ...variables]), line);
      const before = lines.get(host);
      if (before !== undefined)
        throw at(line, `This host is listed twice, first in line ${before}; a host runs one agent.`);
      lines.set(host, line);
      return host;
    });
  }

  private open(name: string, suffix: string | undefined, line: number): void {
    const { group } = this;
    if (group === undefined) throw at(line, 'The file has groups; name one of them, as in inventory: hosts.ini#GROUP.');
    this.section = name;
    const isOurs = name === group;
    if (isOurs) this.hasGroup = true;
    if (suffix === undefined) this.kind = 'hosts';
    else if (suffix === 'vars') this.kind = isOurs || name === 'all' ? 'vars' : 'ignored';
    else if (isOurs) throw at(line, 'Groups of groups are not read; name a group that lists hosts.');
    else this.kind = 'ignored';
  }

  private takeVariable(text: string, line: number): void {
    const [, name = '', value = ''] = /^([\w-]+)\s*=\s*(.*)$/.exec(text) ?? [];
    if (name === '') throw at(line, 'This is not NAME=VALUE.');
    requireKnown(name, value, line);
    // Those of the group are written over those of all.
    if (this.section === this.group || !this.shared.has(name)) this.shared.set(name, unquoted(value));
  }

  private takeHost(text: string, line: number): void {
    const [name = '', ...assignments] = text.split(/\s+/);
    const variables = new Map<string, string>();
    for (const assignment of assignments) {
      const [, key = '', value = ''] = /^([\w-]+)=(.+)$/.exec(assignment) ?? [];
      if (key === '' || this.group === undefined)
        throw at(line, 'This is not one host; write one SSH address a line, such as load-1 or qa@10.0.0.11:22.');
      requireKnown(key, value, line);
      variables.set(key, unquoted(value));
    }
    for (const expanded of ranges(name, line)) {
      requireHost(expanded, line);
      this.found.push({ line, name: expanded, variables });
    }
  }
}

const at = (line: number, sentence: string): InventoryFault => new InventoryFault(`Line ${line}: ${sentence}`);
const unquoted = (value: string): string => value.replace(/^(["'])(.*)\1$/, '$2');

function requireKnown(name: string, value: string, line: number): void {
  if (!name.startsWith('ansible_') || harmless.test(name)) return;
  const isSsh = name !== 'ansible_connection' || /^["']?(ssh|smart)["']?$/.test(value);
  if (known.has(name) && isSsh) return;
  const understood = 'ansible_host, ansible_user, ansible_port and ansible_connection=ssh';
  throw at(line, `Only ${understood} are read; set the rest in ~/.ssh/config, or in the settings of the group.`);
}

function requireHost(host: string, line: number): void {
  if (!address.test(host)) throw at(line, 'This is not an SSH address such as load-1 or qa@10.0.0.11:22.');
}

/** `load[01:20]` is load01 to load20. */
function ranges(name: string, line: number): readonly string[] {
  const [, before = '', first = '', last = '', after = ''] = /^([^[]*)\[(\d+):(\d+)\](.*)$/.exec(name) ?? [];
  if (first === '') return [name];
  const count = Number(last) - Number(first) + 1;
  if (count < 1 || count > maxRange) throw at(line, `This is not a range of 1 to ${maxRange} hosts.`);
  return Array.from(
    { length: count },
    (_, i) => `${before}${String(Number(first) + i).padStart(first.length, '0')}${after}`,
  );
}

function addressOf(name: string, variables: ReadonlyMap<string, string>, line: number): string {
  const host = variables.get('ansible_host') ?? name;
  const user = variables.get('ansible_user');
  const port = variables.get('ansible_port');
  const isV6 = /^[0-9A-Fa-f]*:[0-9A-Fa-f:]+$/.test(host);
  const text = `${user === undefined || host.includes('@') ? '' : `${user}@`}${isV6 ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;
  requireHost(text, line);
  return text;
}
