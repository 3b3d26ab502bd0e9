import type { FamilyFile } from '../../../domain/family/familyFile';
import { findFirst } from '../../../domain/family/pointer';
import { streamsIn, type ReportedStream } from '../../../domain/family/streamsIn';
import { fillFrom, holds, textOf } from '../../../domain/family/values';
import { noPublisher, type NodeCapabilities, type PublishProtocol, type StreamView } from '../../../domain/model/node';
import { playableOf } from '../../../domain/model/playerProtocols';
import type { PlayProtocol } from '../../../domain/model/protocols';
import { CounterRate } from '../../../domain/series/counterRate';
import { seriesDefinition, type SeriesId } from '../../../domain/series/series';
import { FullhouseError } from '../../../contract/calls';
import type { PolledServer, ServerAccess, ServerIdentity } from '../adapter';
import { fillAddress } from '../addressTemplate';
import { withLogin } from './login';
import { checkParts } from './parts';
import { addressesOf, at, namesIn, placesOf, shownName } from './places';
import { figureIn, readAll, treeOf, type Responses } from './responses';

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

  /** All responses. Rejects when one is missing that can't be, or when nothing of the server responds. */
  const read = async (): Promise<Responses> => {
    const responses = await readAll(rules, places, access);
    const missing: string[] = [];
    for (const [name, response] of Object.entries(responses)) {
      if (!(response instanceof FullhouseError)) continue;
      const otherwise = rules.requests[name]?.otherwise;
      if (otherwise === undefined || isLoginFault(response)) throw response;
      missing.push(`${who}: ${otherwise}`);
    }
    if (missing.length === requests.length) {
      hasApi = false;
      await parts.requireOne();
    } else hasApi = true;
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
      const { play, publish } = addresses('x');
      const serves = Object.keys(play) as PlayProtocol[];
      return {
        publish: Object.keys(publish) as PublishProtocol[],
        pull: serves,
        play: playableOf(serves),
        serves,
        measure: hasApi ? measuresOf(rules) : [],
        terminate: hasApi && rules.end.length > 0,
      };
    },
    identify: async (): Promise<ServerIdentity> => {
      const [responses, remarks] = await Promise.all([read(), parts.checkAll()]);
      const version = rules.version && textOf(findFirst(treeOf(responses, rules.version.from), rules.version.at));
      const name = settings.process ?? rules.process;
      return {
        software: [rules.title, version?.trim().replace(/^v(?=\d)/, '')].filter(Boolean).join(' '),
        ...(name === undefined ? {} : { process: name }),
        remarks,
      };
    },
    poll: async () => {
      const responses = await read();
      const streams = streamsNow(responses);
      const isListed = rules.streams !== undefined && !(responses[rules.streams.from] instanceof FullhouseError);
      const nowMs = clock.monotonic();
      const totals = rates.take(streams, nowMs);
      const values: Partial<Record<SeriesId, number>> = {};
      if (isListed) {
        values.originStreams = streams.filter(({ publisher }) => publisher !== undefined).length;
        if (rules.streams?.viewers !== undefined || rules.streams?.viewersBy !== undefined)
          values.originViewers = streams.reduce((sum, stream) => sum + (viewersOf(stream) ?? 0), 0);
        Object.assign(values, totals);
      }
      for (const [series, rule] of Object.entries(rules.figures)) {
        const number = figureIn(responses, rule);
        const value = rule.isCounter ? rates.figure(series, number, nowMs) : number;
        if (value !== undefined) values[series as SeriesId] = value;
      }
      return { values, streams: streams.map((stream) => viewOf(rules, stream, rates)) };
    },
    addresses,
    terminate: async (stream) => {
      const found = streamsNow(await read()).find(({ name }) => shownName(rules, name) === stream);
      const rule = found && rules.end.find(({ where }) => where === undefined || holds(found.found.value, where));
      if (found?.publisher === undefined || !rule)
        throw new FullhouseError(
          found && !rule && found.publisher !== undefined ? 'not-possible' : 'no-such-stream',
          found?.publisher === undefined
            ? `${who}: ${stream} has no publisher.`
            : `${who}: ${rules.title} can't end a publisher of this kind (${found.publisher}).`,
        );
      const address = fillFrom(found.found, fillAddress(rule.address, namesIn(rules, stream)), encodeURIComponent);
      if (address === undefined)
        throw new FullhouseError('not-possible', `${who}: the API does not identify the publisher of ${stream}.`);
      await http.text(withLogin(rules, access, { method: rule.method, url: at(rules, places, address) }));
    },
  };
}

const isLoginFault = ({ code }: FullhouseError): boolean => code === 'http-401' || code === 'http-403';

/** What its API reports, for the person. */
function measuresOf({ streams, figures }: FamilyFile): readonly string[] {
  const titles = Object.keys(figures).map((series) => seriesDefinition(series as SeriesId)?.title ?? series);
  if (!streams) return titles;
  const { viewers, viewersBy, bytesOut } = streams;
  return [
    'streams',
    ...(viewers === undefined && viewersBy === undefined ? [] : ['viewers']),
    ...(bytesOut === undefined ? [] : ['media in and out']),
    ...titles,
  ];
}

function viewersOf({ viewers, viewersBy }: ReportedStream): number | undefined {
  if (viewers !== undefined || !viewersBy) return viewers;
  return Object.values(viewersBy).reduce((sum, count) => sum + count, 0);
}

function viewOf(rules: FamilyFile, stream: ReportedStream, rates: Rates): StreamView {
  const { name, publisher, found: _found, bytesIn: _in, bytesOut: _out, bitrateKbps, ...rest } = stream;
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

/** Bytes per second of one counter of each stream. */
class StreamRates {
  private rates = new Map<string, CounterRate>();
  private latest = new Map<string, number>();

  take(counters: ReadonlyMap<string, number>, atMs: number): void {
    // A stream that is gone starts anew if it returns.
    this.rates = new Map(
      [...counters.keys()].map((name) => [name, this.rates.get(name) ?? new CounterRate({ isLive: true })]),
    );
    this.latest = new Map(
      [...counters].flatMap(([name, bytes]) => {
        const rate = this.rates.get(name)?.read(atMs, bytes);
        return rate === undefined ? [] : [[name, rate] as const];
      }),
    );
  }

  of(name: string): number | undefined {
    return this.latest.get(name);
  }

  /** Undefined while no stream has a rate, unless there is no stream. */
  mbps(): number | undefined {
    if (this.latest.size === 0 && this.rates.size > 0) return undefined;
    return ([...this.latest.values()].reduce((sum, rate) => sum + rate, 0) * 8) / 1e6;
  }
}

/** Rates of the counters of streams and of figures. */
class Rates {
  private readonly incoming = new StreamRates();
  private readonly outgoing = new StreamRates();
  private readonly figures = new Map<string, CounterRate>();

  take(streams: readonly ReportedStream[], atMs: number): Partial<Record<SeriesId, number>> {
    const counters = (key: 'bytesIn' | 'bytesOut'): ReadonlyMap<string, number> =>
      new Map(streams.flatMap((stream) => (stream[key] === undefined ? [] : [[stream.name, stream[key]] as const])));
    const [bytesIn, bytesOut] = [counters('bytesIn'), counters('bytesOut')];
    this.incoming.take(bytesIn, atMs);
    this.outgoing.take(bytesOut, atMs);
    const [inMbps, outMbps] = [this.incoming.mbps(), this.outgoing.mbps()];
    return {
      ...(inMbps === undefined || bytesIn.size === 0 ? {} : { originInMbps: inMbps }),
      ...(outMbps === undefined || bytesOut.size === 0 ? {} : { originOutMbps: outMbps }),
    };
  }

  /** Of what is published; undefined without a counter. */
  bitrateKbps(name: string): number | undefined {
    const rate = this.incoming.of(name);
    return rate === undefined ? undefined : (rate * 8) / 1000;
  }

  /** The increase per second of a counter. */
  figure(series: string, value: number | undefined, atMs: number): number | undefined {
    if (value === undefined) return undefined;
    const rate = this.figures.get(series) ?? new CounterRate({ isLive: true });
    this.figures.set(series, rate);
    return rate.read(atMs, value);
  }
}
