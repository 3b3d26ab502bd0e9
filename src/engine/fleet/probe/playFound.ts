import { hasPublisher } from '../../../domain/model/node';
import type { ProbePlay, ProbeRow } from '../../../domain/model/probe';
import { protocolNames, type PullProtocol } from '../../../domain/model/protocols';
import { errorText } from '../../../domain/text/errorText';
import type { Clock } from '../../base/clock';
import type { LoadDriver } from '../../load/driver';
import type { PolledServer, ServerFound, StreamAddresses } from '../../servers/adapter';
import { onOtherHost, trialPlay, type TrialOrder } from './trialPlay';

/** What is played of a server that a probe has found, and who is told. */
export interface FoundPlayback {
  readonly detected: ServerFound;
  readonly server: PolledServer;
  readonly order: Pick<TrialOrder, 'settings' | 'secrets' | 'typed' | 'signal'>;
  /** By the monotonic clock: all viewers have ended by then. */
  readonly endMs: number;
  readonly clock: Clock;
  /** Starts this machine's tester if necessary. */
  readonly tester: () => Promise<LoadDriver>;
  readonly row: (row: Omit<ProbeRow, 'id' | 'label'>) => void;
  readonly onPlay: (play: ProbePlay) => void;
}

/**
 * Plays the stream of the address, or the first that is published, for one second over each protocol. What is on another
 * host than the typed one is not played; where nothing else is left, no tester is started.
 */
export async function playFound(playback: FoundPlayback): Promise<void> {
  const { detected, server, order, endMs, clock, tester, row, onPlay } = playback;
  const startMs = clock.monotonic();
  row({ state: 'probing', found: 'looking for a stream' });
  if (server.capabilities.pull.length === 0)
    return row({ state: 'absent', found: 'testers pull none of its protocols' });
  const { stream, fault }: Listed = detected.stream === undefined ? await listedStream(server) : detected;
  if (stream === undefined) {
    if (detected.needs?.length) return row({ state: 'absent', found: 'its streams are unknown without the login' });
    if (fault !== undefined) return row({ state: 'failed', found: fault });
    return row({ state: 'absent', found: 'no stream is published', detail: 'publish one to play it' });
  }
  if (order.signal.aborted) return;
  row({ state: 'probing', found: `playing ${stream} for one second` });
  const addresses = server.addresses(stream);
  const pulled = server.capabilities.pull.filter((protocol) => addresses.play[protocol] !== undefined);
  const isHere = (protocol: PullProtocol): boolean => order.typed.isOn(new URL(addresses.play[protocol] ?? ''));
  const elsewhere = pulled.filter((protocol) => !isHere(protocol));
  const played: string[] = [];
  const failed: string[] = [];
  const report = (play: ProbePlay): void => {
    onPlay(play);
    if (play.failed === undefined) played.push(protocolNames[play.protocol]);
    else if (!elsewhere.includes(play.protocol)) failed.push(protocolNames[play.protocol]);
    const details = [
      ...(failed.length > 0 ? [`not over ${failed.join(', ')}`] : []),
      ...(elsewhere.length > 0 ? [`not played on another host: ${shownHosts(elsewhere, addresses)}`] : []),
    ];
    row({
      state: played.length > 0 ? 'found' : 'failed',
      found: played.length > 0 ? `${stream} over ${played.join(', ')}` : `${stream} was not played`,
      ...(details.length > 0 ? { detail: details.join('; ') } : {}),
      tookMs: clock.monotonic() - startMs,
    });
  };
  if (elsewhere.length > 0 && elsewhere.length === pulled.length) {
    for (const protocol of elsewhere) {
      const address = addresses.play[protocol] ?? '';
      report({ protocol, address, stream, failed: onOtherHost(address) });
    }
    return;
  }
  const driver = await tester().catch((error: unknown) => errorText(error));
  if (order.signal.aborted) return;
  if (typeof driver === 'string') return row({ state: 'failed', found: driver });
  const withinMs = Math.max(1000, endMs - clock.monotonic());
  await trialPlay(driver, clock, { ...order, stream, addresses, withinMs }, report);
}

interface Listed {
  readonly stream?: string | undefined;
  readonly fault?: string;
}

/** The first published stream, if the server lists one, or why it lists none. */
const listedStream = (server: PolledServer): Promise<Listed> =>
  server.poll().then(
    ({ streams }) => ({ stream: streams.find(hasPublisher)?.stream }),
    (error: unknown) => ({ fault: errorText(error) }),
  );

/** Protocols with the host of their address, e.g. `HLS of cdn.example`. */
const shownHosts = (protocols: readonly PullProtocol[], { play }: StreamAddresses): string =>
  protocols.map((protocol) => `${protocolNames[protocol]} of ${new URL(play[protocol] ?? '').host}`).join(', ');
