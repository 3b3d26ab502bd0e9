import { expectationIds, parseExpectation } from './expectationText';
import {
  defaultExpectations,
  pullProtocols,
  realisms,
  type Expectation,
  type ExpectationId,
  type Expectations,
  type Plan,
  type PlanPublish,
  type PlanPull,
  type PullProtocol,
} from './plan';
import { nodeNamePattern, readNodes } from './nodeReader';
import type { PlanField } from './planField';
import { parseDuration, parseRate, untilStopped } from './quantity';

const streamPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/;

/** Reads each field of a plan by itself; `fields` are those of the top level. Throws a `PlanError` at the first that is wrong. */
export function readPlan(root: PlanField): { plan: Plan; fields: ReadonlyMap<string, PlanField> } {
  const fields = root.map(['name', 'nodes', 'publish', 'pull', 'expect']);
  const plan: Plan = {
    name: readName(
      root.required(fields, 'name', 'Give the plan a name, e.g. "name: Pull 1000 on the local lab".'),
    ),
    nodes: readNodes(root.required(fields, 'nodes', 'Name the origin and at least one tester.')),
    publish: readPublish(fields.get('publish')),
    pull: readPull(
      root.required(fields, 'pull', 'Say which stream to pull, from where, by whom and how often.'),
    ),
    expect: readExpect(fields.get('expect')),
  };
  return { plan, fields };
}

function readName(field: PlanField): string {
  const name = field.text('Give the plan a name.').trim();
  if (name.length === 0 || name.length > 120) field.fail('A name has 1 to 120 characters.');
  return name;
}

function streamName(field: PlanField, what: string): string {
  const text = field.text(what);
  return streamPattern.test(text)
    ? text
    : field.fail(`"${text}" can't be used: letters, digits, ".", "_", "-" and "/" only, at most 128.`);
}

function identifier(field: PlanField, what: string): string {
  const text = field.text(what);
  return nodeNamePattern.test(text)
    ? text
    : field.fail(`"${text}" can't be used: letters, digits, ".", "_" and "-" only, at most 64.`);
}

function readPublish(field: PlanField | undefined): PlanPublish[] {
  if (!field) return [];
  return field.list('Write it like [{ stream: cam, node: origin, source: sample-240p }].').map((item) => {
    const fields = item.map(['stream', 'node', 'source', 'by']);
    const by = fields.get('by');
    return {
      stream: streamName(item.required(fields, 'stream', 'Name the stream.'), 'Name the stream.'),
      node: identifier(
        item.required(fields, 'node', 'Name the origin that gets the stream.'),
        'Name the origin.',
      ),
      source: item
        .required(fields, 'source', 'Write sample-240p, or external when somebody else publishes.')
        .oneOf(['sample-240p', 'external'], 'Say what is published.'),
      ...(by ? { by: identifier(by, 'Name the tester that publishes it.') } : {}),
    };
  });
}

function readPull(field: PlanField): PlanPull {
  const fields = field.map(['stream', 'from', 'by', 'protocol', 'viewers', 'rate', 'hold', 'realism']);
  const need = (key: string, what: string): PlanField => field.required(fields, key, what);
  const viewers = 'Write how many viewers are to come, e.g. 1000.';
  const by = 'Name the testers, e.g. [audience].';
  const names = need('by', by).list(by);
  if (names.length === 0) need('by', by).fail(`Nobody is named. ${by}`);
  const protocol = fields.get('protocol')?.oneOf(pullProtocols, 'Name the protocol.') ?? 'whep';
  return {
    stream: streamName(need('stream', 'Name the stream to pull.'), 'Name the stream to pull.'),
    from: identifier(need('from', 'Name the origin to pull from.'), 'Name the origin to pull from.'),
    by: names.map((name) => identifier(name, by)),
    protocol,
    viewers: need('viewers', viewers).wholeNumber(viewers),
    ratePerSecond: readRate(need('rate', 'Write how fast they come, e.g. 200/s.')),
    holdMs: readHold(need('hold', `Write how long the full house lasts, e.g. 60s, or ${untilStopped}.`)),
    ...readRealism(fields.get('realism'), protocol),
  };
}

function readRealism(field: PlanField | undefined, protocol: PullProtocol): Pick<PlanPull, 'realism'> {
  const realism = field?.oneOf(realisms, 'Say how true to a browser the viewers are.');
  if (realism === 'full' && protocol !== 'whep')
    field?.fail(`Only viewers by WHEP can be as true as a browser, not those by ${protocol}. Leave it out.`);
  return realism === undefined ? {} : { realism };
}

function readRate(field: PlanField): number {
  const write = 'Write viewers per second or minute, e.g. 200/s or 10/min.';
  const text = field.text(write);
  if (text.startsWith('-')) field.fail(`${text} is negative. ${write}`);
  const rate = parseRate(text.replace(/\s+/g, ''));
  if (rate === undefined)
    return field.fail(
      /^\d+(\.\d+)?$/.test(text) ? `${text} has no unit. ${write}` : `"${text}" is no rate. ${write}`,
    );
  return rate > 0 ? rate : field.fail(`At this rate nobody ever comes. ${write}`);
}

function readHold(field: PlanField): number {
  const write = `Write it with its unit, e.g. 60s, 2m, 500ms or 1h30m, or ${untilStopped}.`;
  const text = field.text(write);
  if (text === untilStopped) return 0;
  if (text.startsWith('-')) field.fail(`${text} is negative. ${write}`);
  const durationMs = parseDuration(text.replace(/\s+/g, ''));
  if (durationMs === undefined)
    return field.fail(
      /^\d+(\.\d+)?$/.test(text) ? `${text} has no unit. ${write}` : `"${text}" is no duration. ${write}`,
    );
  return durationMs > 0 ? durationMs : field.fail(`There must be some time to watch. ${write}`);
}

function readExpect(field: PlanField | undefined): Expectations {
  if (!field) return defaultExpectations;
  const expect: Partial<Record<ExpectationId, Expectation>> = { ...defaultExpectations };
  for (const [key, each] of field.map(expectationIds)) {
    const id = expectationIds.find((known) => known === key);
    if (!id) continue;
    const text = each.text(`Write it like "${id === 'gcPause' ? '<= 10ms' : '<= 1%'}", or "off".`);
    if (text === 'off') {
      delete expect[id];
      continue;
    }
    const read = parseExpectation(id, text);
    if (typeof read === 'string') each.fail(read);
    else expect[id] = read;
  }
  return expect;
}
