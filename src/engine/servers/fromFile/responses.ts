import type { FamilyFile, FigureRule, RequestRule } from '../../../domain/family/familyFile';
import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { findAll, findFirst, withLists } from '../../../domain/family/pointer';
import { fillTemplate, holds, sumOf, textOf } from '../../../domain/family/values';
import { errorText } from '../../../domain/text/errorText';
import { shortened } from '../../../domain/text/shortened';
import { FullhouseError } from '../../../contract/calls';
import { describeResponse } from '../../links/http/readResponse';
import { parseMetrics, type Metrics } from '../../telemetry/metrics/exposition';
import type { HttpRequest } from '../../links/http/httpLink';
import type { ServerAccess } from '../adapter';
import { parseForeignXml } from '../foreignXml';
import { forgetToken, knownToken, withLogin } from './login';
import { at, type Places } from './places';

/** A response as its request says that it is read. */
export type Response =
  | { readonly as: 'tree'; readonly tree: unknown }
  | { readonly as: 'metrics'; readonly metrics: Metrics }
  | { readonly as: 'text'; readonly text: string };

/** Responses by the name of their request; one that failed is a `FullhouseError`. */
export type Responses = Readonly<Record<string, Response | FullhouseError>>;

const accepted: Readonly<Record<RequestRule['as'], string>> = {
  json: 'application/json',
  xml: 'application/xml, text/xml',
  metrics: 'text/plain',
  text: '*/*',
};

/** Sends all requests of the family at once. Never rejects. */
export async function readAll(rules: FamilyFile, places: Places, access: ServerAccess): Promise<Responses> {
  const read = async (requests: FamilyFile['requests'], known: Responses): Promise<Responses> => {
    const all = Object.entries(requests).map(async ([name, request]) => {
      const response = request.each
        ? readEach(rules, places, access, request, known[request.each.from])
        : readOne(rules, places, access, request);
      return [name, await response.catch(faultOf)] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  };
  const entries = Object.entries(rules.requests);
  const first = await read(Object.fromEntries(entries.filter(([, { each }]) => each === undefined)), {});
  const others = entries.filter(([, { each }]) => each !== undefined);
  return others.length === 0 ? first : { ...first, ...(await read(Object.fromEntries(others), first)) };
}

/** What no part of this file expected of a response is a fault of this request only. */
const faultOf = (error: unknown): FullhouseError =>
  error instanceof FullhouseError ? error : new FullhouseError('bad-answer', errorText(error));

/** Requests for elements beyond these are not sent: a server is polled every second. */
const maxElements = 100;
/** Of each of them, since all are held at once. */
const maxElementBytes = 500_000;
const isGone = ({ code }: FullhouseError): boolean => code === 'http-404' || code === 'http-410';

/**
 * A request for each element of a response; elements that are gone meanwhile are left out. Any other fault is that of all:
 * figures of a part would be taken for those of the server.
 */
async function readEach(
  rules: FamilyFile,
  places: Places,
  access: ServerAccess,
  request: RequestRule,
  source: Response | FullhouseError | undefined,
): Promise<Response> {
  if (source instanceof FullhouseError) throw source;
  const elements = source?.as === 'tree' && request.each ? findAll(source.tree, request.each.at) : [];
  if (elements.length > maxElements)
    access.remark?.(
      `${access.who}: of ${elements.length} elements only the first ${maxElements} are read, so streams and viewers are incomplete.`,
    );
  const all = elements.slice(0, maxElements).map(async (element) => {
    const get = fillTemplate(element, request.get, encodeURIComponent);
    if (get === undefined) return [];
    const response = await readOne(rules, places, access, { ...request, get }, maxElementBytes).catch(
      (error: unknown) => {
        const fault = faultOf(error);
        if (isGone(fault)) return undefined;
        throw fault;
      },
    );
    return response?.as === 'tree' ? [{ item: element.value, response: response.tree }] : [];
  });
  return { as: 'tree', tree: (await Promise.all(all)).flat() };
}

/** One request; a token that the server no longer accepts is replaced once. */
async function readOne(
  rules: FamilyFile,
  places: Places,
  access: ServerAccess,
  request: RequestRule,
  maxBytes?: number,
): Promise<Response> {
  const token = knownToken(access);
  try {
    return await readWithLogin(rules, places, access, request, maxBytes);
  } catch (error) {
    if (!(error instanceof FullhouseError) || error.code !== 'http-401') throw error;
    if (token === undefined || useless.has(token) || !(await isGranted(token))) throw error;
    if (knownToken(access) === token) forgetToken(access);
    return readWithLogin(rules, places, access, request, maxBytes).catch((again: unknown) => {
      const fresh = knownToken(access);
      if (fresh) useless.add(fresh);
      throw again;
    });
  }
}

/** Tokens with which a request was refused at once: another login would not help, and servers limit logins. */
const useless = new WeakSet<Promise<string>>();

const isGranted = (token: Promise<string>): Promise<boolean> =>
  token.then(
    () => true,
    () => false,
  );

async function readWithLogin(
  rules: FamilyFile,
  places: Places,
  access: ServerAccess,
  request: RequestRule,
  maxBytes?: number,
): Promise<Response> {
  const url = at(rules, places, request.get);
  if (request.needsLogin && access.secrets().httpPassword === undefined)
    throw new FullhouseError('no-login', `${access.who}: ${request.otherwise ?? 'it needs a login'}`);
  const { json } = request;
  const headers = {
    Accept: accepted[request.as],
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const asked: HttpRequest =
    json === undefined ? { url, headers } : { method: 'POST', url, headers, body: JSON.stringify(json) };
  const sent = await withLogin(rules, places, access, asked);
  const body = await access.http.text(maxBytes === undefined ? sent : { ...sent, maxBytes });
  const { pathname, host } = new URL(url);
  const otherThan = (what: string): FullhouseError =>
    new FullhouseError(
      'bad-answer',
      `${access.who}: ${host}${pathname} returned ${describeResponse(body)} instead of ${what}; check the address and that this is ${rules.title}.`,
    );
  if (request.as === 'text') return { as: 'text', text: body };
  if (request.as === 'metrics') {
    const wanted = new Set(Object.values(rules.figures).flatMap((figure) => ('metric' in figure ? figure.metric : [])));
    return { as: 'metrics', metrics: parseMetrics(body, (name) => wanted.has(name), `${host}${pathname}`) };
  }
  if (request.as === 'xml') {
    const tree = parseForeignXml(body, new Set(request.lists));
    if (tree === undefined) throw otherThan('XML');
    return { as: 'tree', tree };
  }
  let tree: unknown;
  try {
    tree = parseForeignJson(body);
  } catch {
    throw otherThan('JSON');
  }
  requireSuccess(rules, access.who, `${host}${pathname}`, tree);
  return { as: 'tree', tree: request.lists ? withLists(tree, new Set(request.lists)) : tree };
}

/** Throws what a response with the status 200 says about a request that failed. */
export function requireSuccess({ success, title }: FamilyFile, who: string, place: string, tree: unknown): void {
  if (!success || holds(tree, success.where)) return;
  const reason = success.reason === undefined ? undefined : textOf(findFirst(tree, success.reason));
  const isLogin = success.loginFault !== undefined && holds(tree, success.loginFault);
  throw new FullhouseError(
    isLogin ? 'http-401' : 'api-error',
    `${who}: ${title} refused ${place}${reason ? `: ${shortened(reason)}` : ''}${isLogin ? '; a password is required' : ''}.`,
  );
}

/** The tree of a response; undefined if it failed. */
export const treeOf = (responses: Responses, name: string): unknown => {
  const response = responses[name];
  return response !== undefined && !(response instanceof FullhouseError) && response.as === 'tree'
    ? response.tree
    : undefined;
};

/** The version that the API reports, without a "v" and what precedes it in that text. */
export function versionIn({ version }: FamilyFile, responses: Responses): string | undefined {
  if (!version) return undefined;
  const text = textOf(findFirst(treeOf(responses, version.from), version.at))?.trim();
  const { after } = version;
  const own = after !== undefined && text?.startsWith(after) ? text.slice(after.length).trim() : text;
  return own?.replace(/^v(?=\d)/, '');
}

/** The number that a rule reads; undefined when the response failed or lacks it. */
export function figureIn(responses: Responses, rule: FigureRule): number | undefined {
  const response = responses[rule.from];
  if (response === undefined || response instanceof FullhouseError) return undefined;
  if ('at' in rule) return response.as === 'tree' ? sumOf(response.tree, rule) : undefined;
  const number = 'metric' in rule ? metricSum(response, rule) : numberAfter(response, rule.after);
  return number === undefined ? undefined : number * (rule.times ?? 1);
}

function metricSum(response: Response, rule: Extract<FigureRule, { metric: string }>): number | undefined {
  if (response.as !== 'metrics') return undefined;
  const wanted = Object.entries(rule.labels ?? {});
  const values = (response.metrics.get(rule.metric) ?? []).filter(({ labels }) =>
    wanted.every(([label, value]) => labels[label] === value),
  );
  return values.length === 0 ? undefined : values.reduce((sum, { value }) => sum + value, 0);
}

function numberAfter(response: Response, start: string): number | undefined {
  if (response.as !== 'text') return undefined;
  const index = response.text.indexOf(start);
  if (index < 0) return undefined;
  const digits = /^\s*(-?\d{1,20}(?:\.\d{1,20})?)/.exec(
    response.text.slice(index + start.length, index + start.length + 60),
  );
  return digits ? Number(digits[1]) : undefined;
}
