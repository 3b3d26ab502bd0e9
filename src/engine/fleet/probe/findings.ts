import type { HostKeyQuestion, NodeCapabilities } from '../../../domain/model/node';
import type { OriginSettings, TesterSettings } from '../../../domain/model/nodeSettings';
import { probeRowIds, type ProbePlay, type ProbeRow, type ProbeView } from '../../../domain/model/probe';
import { pullProtocols } from '../../../domain/model/protocols';
import type { ServerFound } from '../../servers/adapter';

type Need = ProbeView['needs'][number];

/** What a probe has found so far, put together for the window. It makes no requests. */
export class Findings {
  hostKey: HostKeyQuestion | undefined;
  tester: TesterSettings | undefined;
  isDone = false;
  private readonly rows = new Map<ProbeRow['id'], ProbeRow>();
  private servers: { readonly found: ServerFound; readonly can: NodeCapabilities }[] = [];
  private needs: Need[] = [];
  private hostFigures: readonly string[] = [];
  private canPublishAsTester = false;
  private plays: readonly ProbePlay[] = [];
  private isUnknownHost = false;

  constructor(
    private readonly probe: string,
    private readonly address: string,
    private readonly startedMs: number,
    private readonly freeName: (requestedName: string) => string,
    private readonly onChange: () => void,
  ) {}

  row(row: ProbeRow): void {
    if (this.isUnknownHost) return;
    this.rows.set(row.id, row);
    this.onChange();
  }

  /** The name of the host is not known: what is said of it is all there is to say. */
  unknownHost(row: ProbeRow): void {
    this.rows.clear();
    this.row(row);
    this.isUnknownHost = true;
  }

  /** Rows without an answer: the search is over. */
  settle(): void {
    for (const row of this.rows.values())
      if (row.state === 'probing') this.rows.set(row.id, { ...row, state: 'absent', found: 'no response' });
    this.isDone = true;
    this.onChange();
  }

  /** Adds a server that was found, or updates it. */
  server(found: ServerFound, can: NodeCapabilities): void {
    const others = this.servers.filter((server) => server.found !== found);
    this.servers = [...others, { found, can }].sort((a, b) => b.found.certainty - a.found.certainty);
    this.onChange();
  }

  played(play: ProbePlay): void {
    this.plays = [...this.plays, play].sort(
      (a, b) => pullProtocols.indexOf(a.protocol) - pullProtocols.indexOf(b.protocol),
    );
    this.onChange();
  }

  measures(figures: readonly string[]): void {
    this.hostFigures = [...new Set([...this.hostFigures, ...figures])];
    this.onChange();
  }

  need(need: Need): void {
    if (!this.needs.some(({ kind }) => kind === need.kind)) this.needs = [...this.needs, need];
    this.onChange();
  }

  asTester(settings: TesterSettings): void {
    this.tester = settings;
    this.canPublishAsTester = true;
    this.onChange();
  }

  /** `withHost` adds what was found on the host (SSH, node_exporter, GC log) to a server's settings. */
  view(withHost: (settings: OriginSettings) => OriginSettings): ProbeView {
    const [first] = this.servers;
    const can = first?.can ?? nothing;
    const isTester = this.tester !== undefined;
    return {
      probe: this.probe,
      address: this.address,
      startedMs: this.startedMs,
      isDone: this.isDone,
      ...(this.isUnknownHost ? { isUnknownHost: true as const } : {}),
      rows: probeRowIds.flatMap((id) => this.rows.get(id) ?? []),
      can: {
        ...can,
        publish: [
          ...new Set([...can.publish, ...(this.canPublishAsTester && !first ? (['whip', 'rtmp'] as const) : [])]),
        ],
        pull: [...new Set([...can.pull, ...(isTester && !first ? pullProtocols : [])])],
        measure: [...new Set([...this.hostFigures, ...can.measure])],
      },
      origins: this.servers.map(({ found }) => ({
        software: found.software,
        detail: found.detail,
        settings: withHost(found.settings),
        ...(found.stream === undefined ? {} : { stream: found.stream }),
      })),
      ...(this.plays.length > 0 ? { plays: this.plays } : {}),
      tester: this.tester,
      suggestedName: this.freeName(this.requestedName()),
      suggestedRole: first ? 'origin' : isTester ? 'tester' : 'origin',
      needs: this.needs,
      hostKey: this.hostKey,
    };
  }

  private requestedName(): string {
    const [first] = this.servers;
    const host = this.address
      .replace(/^[a-z+]+:\/\//i, '')
      .replace(/^[^@/]*@/, '')
      .replace(/[:/?].*$/, '');
    const isNumeric = /^[\d.]+$/.test(host);
    const short = isNumeric ? (host.split('.').pop() ?? host) : (host.split('.')[0] ?? host);
    const server = first?.found.settings.server;
    const family = server === 'generic' ? 'origin' : (server ?? (this.tester ? 'tester' : 'node'));
    return isNumeric || short === 'localhost' ? `${family}-${short === 'localhost' ? 'local' : short}` : short;
  }
}

export const nothing: NodeCapabilities = {
  publish: [],
  pull: [],
  play: [],
  serves: [],
  measure: [],
  terminate: false,
};
