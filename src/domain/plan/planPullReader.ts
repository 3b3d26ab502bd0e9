import { pullProtocols, realisms, type PlanPull, type PullProtocol } from './plan';
import type { PlanField } from './planField';
import { nodeName, streamName } from './planNames';
import { readRate, readTime } from './planQuantities';
import { untilStopped } from './quantity';
import { withDerived } from '../stages/derived';
import { readSearch, readStages } from '../stages/stageReader';

const mostAudiences = 21;
const always = ['stream', 'from', 'by', 'protocol', 'realism'];

/** The audiences of a plan, one map or a list of them. Throws a `PlanError` at the first that is wrong. */
export function readPulls(field: PlanField): {
  readonly pull: PlanPull;
  readonly also?: readonly PlanPull[];
} {
  if (!field.isList) return { pull: readPull(field) };
  const items = field.list('', mostAudiences);
  const [pull, ...also] = items.map(readPull);
  if (!pull) return field.fail('There is no audience. Write one, e.g. { stream: cam, from: origin, ... }.');
  const searching = [pull, ...also].flatMap(({ search }, place) => (search ? (items[place] ?? field) : []));
  searching[1]
    ?.map()
    .get('search')
    ?.fail(
      'Another audience searches already, and two searches at once would find each other. Leave one out.',
    );
  return { pull, ...(also.length > 0 ? { also } : {}) };
}

function readPull(field: PlanField): PlanPull {
  const fields = field.map([...always, 'viewers', 'rate', 'hold', 'stages', 'search']);
  const need = (key: string, what: string): PlanField => field.required(fields, key, what);
  const protocol = fields.get('protocol')?.oneOf(pullProtocols, 'Name the protocol.') ?? 'whep';
  return {
    stream: streamName(need('stream', 'Name the stream to pull.'), 'Name the stream to pull.'),
    from: nodeName(need('from', 'Name the origin to pull from.'), 'Name the origin to pull from.'),
    ...readBy(need('by', byExample)),
    protocol,
    ...readCourse(field, fields),
    ...readRealism(fields.get('realism'), protocol),
  };
}

type Course = Pick<PlanPull, 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>;

function readCourse(field: PlanField, fields: ReadonlyMap<string, PlanField>): Course {
  const need = (key: string, what: string): PlanField => field.required(fields, key, what);
  const refuse = (keys: readonly string[], sentence: string): void => {
    for (const key of keys) fields.get(key)?.fail(sentence.replaceAll('#', key));
  };
  const rate = (): number => readRate(need('rate', 'Write how fast they come, e.g. 200/s.'));
  const [stages, search] = [fields.get('stages'), fields.get('search')];
  if (stages && search)
    search.fail('An audience either goes through stages or looks for the limit. Leave one of them out.');
  if (stages) {
    refuse(['viewers', 'rate', 'hold'], 'The stages say it themselves. Leave "#" out.');
    return withDerived<Course>({ viewers: 0, ratePerSecond: 0, holdMs: 0, stages: readStages(stages) });
  }
  if (search) {
    refuse(
      ['viewers', 'hold'],
      'A search says itself how many viewers there are, and how long. Leave "#" out.',
    );
    return withDerived<Course>({ viewers: 0, ratePerSecond: rate(), holdMs: 0, search: readSearch(search) });
  }
  const viewers = 'Write how many viewers are to come, e.g. 1000.';
  return {
    viewers: need('viewers', viewers).wholeNumber(viewers),
    ratePerSecond: rate(),
    holdMs: readHold(need('hold', `Write how long the full house lasts, e.g. 60s, or ${untilStopped}.`)),
  };
}

function readHold(field: PlanField): number {
  const write = `Write it with its unit, e.g. 60s, 2m, 500ms or 1h30m, or ${untilStopped}.`;
  if (field.text(write) === untilStopped) return 0;
  return readTime(field, write, 'There must be some time to watch.');
}

const byExample = 'Name the testers, e.g. [audience].';

/** Testers by name, or with the weight of their part. */
function readBy(field: PlanField): Pick<PlanPull, 'by' | 'weights'> {
  const items = field.list(byExample);
  if (items.length === 0) field.fail(`Nobody is named. ${byExample}`);
  const weights: Record<string, number> = {};
  const by = items.map((item) => {
    if (!item.isMap) return nodeName(item, byExample);
    const write = 'Write it like { tester: tester-1, weight: 2 }.';
    const fields = item.map(['tester', 'weight']);
    const name = nodeName(item.required(fields, 'tester', write), write);
    weights[name] = item.required(fields, 'weight', write).positiveNumber(write);
    return name;
  });
  return { by, ...(Object.keys(weights).length > 0 ? { weights } : {}) };
}

function readRealism(field: PlanField | undefined, protocol: PullProtocol): Pick<PlanPull, 'realism'> {
  const realism = field?.oneOf(realisms, 'Say how true to a browser the viewers are.');
  if (realism === 'full' && protocol !== 'whep')
    field?.fail(`Only viewers by WHEP can be as true as a browser, not those by ${protocol}. Leave it out.`);
  return realism === undefined ? {} : { realism };
}
