import type { FamilyFile, StreamsRule } from '../../../domain/family/familyFile';
import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { softwareName } from '../../../domain/family/softwareName';
import { streamsIn, type ReportedStream } from '../../../domain/family/streamsIn';
import { fillTemplate, holds, type Filling } from '../../../domain/family/values';
import { shortened } from '../../../domain/text/shortened';
import { noPublisher, type NodeCapabilities, type StreamView } from '../../../domain/model/node';
import { seriesDefinition, type SeriesId } from '../../../domain/series/series';
import { FullhouseError } from '../../../contract/calls';
import type { PolledServer, ServerAccess, ServerIdentity } from '../adapter';
import { capabilitiesOf } from '../capabilities';
import { isLoginFault, withLogin } from './login';
import { checkParts } from './parts';
import { Rates } from './rates';
import { addressesOf, at, namesIn, placesOf, shownName } from './places';
import { figureIn, readAll, requireSuccess, treeOf, versionIn, type Responses } from './responses';

/**
 * Opens a server of a family that is a file; sends no request yet. Throws `no-address` when its settings have none.
 */
export function openFromFile(rules: FamilyFile, access: ServerAccess): PolledServer {
  const { who, settings, http, clock, remark } = access;
  const places = placesOf(rules, who, settings);
  const parts = checkParts(rules, places, settings, who, clock);
  const rates = new Rates();
  const requests = Object.values(rules.requests);
  /** The API has responded at least once. */
  let hasApi = requests.some(({ otherwise }) => otherwise === undefined);
  let hasAnswered = false;

  /** All responses. Rejects when one is missing that can't be, or when nothing of the server responds. */
  const read = async (): Promise<Responses> => {
    const responses = await readAll(rules, places, access);
    const missing: string[] = [];
    for (const [name, response] of Object.entries(responses)) {
      if (!(response instanceof FullhouseError)) continue;
      const otherwise = rules.requests[name]?.otherwise;
      if (otherwise === undefined || needsSetting(response)) throw response;
      missing.push(isAbsent(response) ? `${who}: ${otherwise}` : response.message);
    }
    if (missing.length === requests.length) {
      // The system accepts connections for a server that hangs, so its other ports prove nothing.
      const silent = Object.values(responses).find((response) => response instanceof FullhouseError);
      if (hasAnswered && silent?.code === 'timeout') throw silent;
      hasApi = false;
      await parts.requireOne();
    } else hasApi = hasAnswered = true;
    for (const sentence of missing) remark?.(sentence);
    return responses;
  };
  const streamsNow = (responses: Responses): readonly ReportedStream[] =>
    rules.streams ? streamsIn(treeOf(responses, rules.streams.from), rules.streams, clock.now()) : [];
  const addresses = (stream: string): ReturnType<typeof addressesOf> =>
    addressesOf(rules, places, settings, stream, parts.silent());

  return {
    family: settings.server,
    get capabilities(): NodeCapabilities {
      return capabilitiesOf(addresses('x'), {
        measure: hasApi ? measuresOf(rules) : [],
        terminate: hasApi && rules.end.length > 0,
      });
    },
    identify: async (): Promise<ServerIdentity> => {
      const [responses, remarks] = await Promise.all([read(), parts.checkAll()]);
      const version = versionIn(rules, responses);
      const name = settings.process ?? rules.process;
      return {
        software: softwareName(rules.title, version),
        ...(name === undefined ? {} : { process: name }),
        remarks,
      };
    },
    poll: async () => {
      parts.recheck();
      const responses = await read();
      const streams = streamsNow(responses);
      const nowMs = clock.monotonic();
      const values: Partial<Record<SeriesId, number>> = {};
      const { streams: listing } = rules;
      if (listing && !(responses[listing.from] instanceof FullhouseError)) {
        values.originStreams = streams.filter(({ publisher }) => publisher !== undefined).length;
        if (reportsViewers(listing))
          values.originViewers = streams.reduce((sum, stream) => sum + (viewersOf(stream) ?? 0), 0);
        Object.assign(values, rates.take(streams, nowMs, listing));
      }
      for (const [series, rule] of Object.entries(rules.figures)) {
        const number = figureIn(responses, rule);
        const value = rule.isCounter ? rates.figure(series, number, nowMs, rule.periodMs) : number;
        if (value !== undefined) values[series as SeriesId] = value;
      }
      return { values, streams: streams.map((stream) => viewOf(rules, stream, rates)) };
    },
    addresses,
    terminate: async (stream) => {
      const reported = streamsNow(await read()).find(({ name }) => shownName(rules, name) === stream);
      if (reported?.publisher === undefined)
        throw new FullhouseError('no-such-stream', `${who}: ${stream} has no publisher.`);
      const { found, publisher } = reported;
      const rule = rules.end.find(({ where }) => where === undefined || holds(found.value, where));
      if (!rule)
        throw new FullhouseError(
          'not-possible',
          `${who}: ${rules.title} can't end a publisher of this kind (${publisher}).`,
        );
      const filling = { ...found, names: namesIn(rules, stream) };
      // The place first: a name can't become one.
      const url = fillTemplate(filling, at(rules, places, rule.address), inAddress);
      const json = rule.json && filledJson(filling, rule.json);
      if (url === undefined || (rule.json && json === undefined))
        throw new FullhouseError('not-possible', `${who}: the API does not identify the publisher of ${stream}.`);
      const sent = await http.text(
        await withLogin(rules, places, access, {
          method: rule.method,
          url,
          ...(json === undefined ? {} : { body: json, headers: { 'Content-Type': 'application/json' } }),
        }),
      );
      if (rules.success) requireSuccess(rules, who, new URL(url).pathname, jsonOf(sent));
    },
  };
}

/** A value in an address. Throws for one that would be another place there. */
function inAddress(text: string): string {
  const segments = text.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw new FullhouseError('not-possible', `The name "${shortened(text)}" can't be part of an address.`);
  return segments.map(encodeURIComponent).join('/');
}

/** The body of a request, with the names and the values of the stream; undefined when one has no value. */
function filledJson(filling: Filling, json: Readonly<Record<string, string>>): string | undefined {
  const values = Object.entries(json).map(([key, template]) => [key, fillTemplate(filling, template)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : JSON.stringify(Object.fromEntries(values));
}

function jsonOf(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined; // what it is instead of JSON shows no success
  }
}

/** The API is there, and a setting of the node lets it respond. */
const needsSetting = (fault: FullhouseError): boolean => isLoginFault(fault) || fault.code === 'tls';

/** The API is off, or of a version without it. */
const isAbsent = ({ code }: FullhouseError): boolean => code === 'refused' || code === 'http-404';

const reportsViewers = ({ viewers, viewersBy }: StreamsRule): boolean =>
  viewers !== undefined || viewersBy !== undefined;

/** What its API reports, for the person. */
function measuresOf({ streams, figures }: FamilyFile): readonly string[] {
  const titles = Object.keys(figures).map((series) => seriesDefinition(series as SeriesId)?.title ?? series);
  if (!streams) return titles;
  const { bytesOut, outKbps } = streams;
  return [
    'streams',
    ...(reportsViewers(streams) ? ['viewers'] : []),
    ...(bytesOut === undefined && outKbps === undefined ? [] : ['media in and out']),
    ...titles,
  ];
}

function viewersOf({ viewers, viewersBy }: ReportedStream): number | undefined {
  if (viewers !== undefined || !viewersBy) return viewers;
  return Object.values(viewersBy).reduce((sum, count) => sum + count, 0);
}

function viewOf(rules: FamilyFile, stream: ReportedStream, rates: Rates): StreamView {
  const { name, publisher, found: _found, bytesIn: _in, bytesOut: _out, outKbps: _all, bitrateKbps, ...rest } = stream;
  const viewers = viewersOf(stream);
  const measured = bitrateKbps ?? rates.bitrateKbps(name);
  return {
    ...rest,
    stream: shownName(rules, name),
    source: publisher ?? noPublisher,
    ...(viewers === undefined ? {} : { viewers }),
    ...(measured === undefined || publisher === undefined ? {} : { bitrateKbps: Math.round(measured) }),
  };
}
