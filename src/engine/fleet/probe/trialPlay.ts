import { randomUUID } from 'node:crypto';
import type { NodeSecrets, OriginSettings } from '../../../domain/model/nodeSettings';
import type { ProbePlay } from '../../../domain/model/probe';
import type { PullProtocol } from '../../../domain/model/protocols';
import { errorText } from '../../../domain/text/errorText';
import { sleep, type Clock } from '../../base/clock';
import type { LoadDriver } from '../../load/driver';
import type { StreamAddresses } from '../../servers/adapter';
import type { TypedServer } from './typedServer';

/** How long one viewer plays after its first frame. */
const playsMs = 1000;
const pollMs = 100;
/** Its tester ends it by itself by then, whatever happens here. */
const maxHoldMs = 15_000;

/** What one viewer of each protocol is to play. */
export interface TrialOrder {
  readonly stream: string;
  readonly addresses: StreamAddresses;
  readonly settings: OriginSettings;
  readonly secrets: NodeSecrets;
  /** Without an end by then a viewer counts as failed. */
  readonly withinMs: number;
  /** Only its addresses are played, and only they receive credentials. */
  readonly typed: TypedServer;
  /** The probe has ended: its viewers too. */
  readonly signal: AbortSignal;
}

/**
 * Plays a stream over each protocol that a tester pulls from an address, with one viewer for one second after its first
 * frame. Publishes nothing. Reports each protocol as it ends, those of another host as not played; never rejects.
 */
export async function trialPlay(
  driver: Pick<LoadDriver, 'start' | 'stop' | 'viewers' | 'protocols'>,
  clock: Clock,
  order: TrialOrder,
  onPlay: (play: ProbePlay) => void,
): Promise<void> {
  const { play } = order.addresses;
  const pulled = driver.protocols.filter((protocol) => play[protocol] !== undefined);
  await Promise.all(
    pulled.map(async (protocol) => {
      const address = play[protocol] ?? '';
      const result = await playOnce(driver, clock, order, protocol, address).catch((error: unknown) => ({
        failed: errorText(error),
      }));
      onPlay({ protocol, address, stream: order.stream, ...result });
    }),
  );
}

/** Why an address of another host than the typed one is not played. */
export const onOtherHost = (address: string): string =>
  `The address is on another host, ${new URL(address).host}, and was not played.`;

type Outcome = Pick<ProbePlay, 'firstFrameMs' | 'failed'>;

const ended: Outcome = { failed: 'The probe has ended.' };

async function playOnce(
  driver: Pick<LoadDriver, 'start' | 'stop' | 'viewers'>,
  clock: Clock,
  { stream, addresses, settings, secrets, withinMs, typed, signal }: TrialOrder,
  protocol: PullProtocol,
  url: string,
): Promise<Outcome> {
  if (signal.aborted) return ended;
  const address = new URL(url);
  if (!typed.isOn(address)) return { failed: onOtherHost(url) };
  const job = `probe-${randomUUID()}`;
  const { user, proxy } = settings;
  const mayLogIn = protocol === 'whep' && typed.mayReceiveCredentials(address);
  const password = secrets.httpPassword;
  // A password without a user is a bearer token.
  const tokens = user === undefined && password !== undefined ? [password] : addresses.viewerTokens?.(1, withinMs);
  const endMs = clock.monotonic() + withinMs;
  try {
    await driver.start({
      ...{ job, protocol, url, stream, viewers: 1, ratePerSecond: 1, maxHoldMs },
      ...(settings.selfSigned ? { selfSigned: true } : {}),
      ...(settings.allowCrossOrigin ? { allowCrossOrigin: true } : {}),
      ...(proxy === undefined ? {} : { proxy }),
      ...(mayLogIn && user !== undefined && password !== undefined ? { login: { user, password } } : {}),
      ...(mayLogIn && tokens ? { tokens } : {}),
    });
    let playingSinceMs: number | undefined;
    for (;;) {
      if (signal.aborted) return ended;
      const [viewer] = (await driver.viewers(job, 0, 1)).viewers;
      const nowMs = clock.monotonic();
      if (viewer?.state === 'failed') return { failed: viewer.failure?.detail ?? 'The viewer failed.' };
      if (viewer?.firstFrameMs !== undefined) {
        playingSinceMs ??= nowMs;
        if (nowMs - playingSinceMs >= playsMs) return { firstFrameMs: Math.round(viewer.firstFrameMs) };
      }
      if (nowMs >= endMs) return { failed: `No frame arrived within ${Math.round(withinMs / 1000)} s.` };
      await sleep(clock, pollMs, signal);
    }
  } finally {
    // Properly, so that the server does not count the viewer any longer; it ends by itself, see `maxHoldMs`.
    await driver.stop(job, false).catch(() => undefined);
  }
}
