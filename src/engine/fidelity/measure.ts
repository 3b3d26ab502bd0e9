import type { AgentParams } from '../../contract/agentCalls';
import type { RecordConditions, RecordedViewer } from '../../contract/recordedViewer';
import type { Fidelity } from '../../domain/model/audienceValues';
import { sampleSource } from '../../domain/model/plan';
import { loopbackOnly, startChromium } from '../base/chromium';
import { sleep, waitUntil, type Clock } from '../base/clock';
import type { AgentLink } from '../links/agentLink';
import { localAgentBinary, startLocalAgent, type LocalAgent } from '../links/localAgent';
import { openAgentLink } from '../links/webSocketLink';
import { servePlayers } from './pageServer';
import type { BrowserFigures } from './playerReport';
import type { MeasuredViewer } from './recorded';

export interface MeasureOptions {
  readonly agentFolder: string;
  readonly samplesFolder: string;
  readonly version: string;
  readonly conditions: Readonly<Record<string, { readonly record: RecordConditions }>>;
  readonly fidelities: readonly Fidelity[];
  /** The program of a browser that plays too; undefined: none. */
  readonly chromium: string | undefined;
  readonly playMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** The viewers of each condition by name: `media-only`, `browser`, `chromium`. */
export interface MeasuredViewers {
  readonly conditions: Readonly<Record<string, Readonly<Record<string, MeasuredViewer>>>>;
  /** The browser that played, with its version. */
  readonly browser?: string;
}

/** For the offer, ICE and DTLS of all viewers, and a browser's start, on a busy machine. */
const startLimitMs = 30_000;
/** For what is received after the end. */
const endLimitMs = 5000;

interface Connected {
  readonly agent: LocalAgent;
  readonly link: AgentLink;
}

/** A viewer with an origin of its own. */
interface Recording {
  readonly condition: string;
  readonly viewer: string;
  readonly record: string;
  readonly whepUrl: string;
}

/** Lets one viewer of each kind play under each condition, all at the same time, and records what the lab receives. */
export async function measureViewers(options: MeasureOptions): Promise<MeasuredViewers> {
  const { agentFolder, samplesFolder, version, conditions, fidelities, chromium, clock, signal } = options;
  const open: Connected[] = [];
  const start = async (role: 'lab' | 'audience', args: readonly string[]): Promise<AgentLink> => {
    const agent = await startLocalAgent({ binary: localAgentBinary(agentFolder), role, args, clock });
    try {
      const link = await openAgentLink({
        address: () => agent.listening.address,
        token: agent.token,
        who: `the ${role} on this machine`,
        version,
        clock,
      });
      open.push({ agent, link });
      return link;
    } catch (error) {
      await agent.end(undefined, true);
      throw error;
    }
  };
  try {
    const lab = await start('lab', ['--http', '127.0.0.1:0', '--samples', samplesFolder]);
    const audience = await start('audience', []);
    const names = [...fidelities, ...(chromium === undefined ? [] : ['chromium'])];
    const recordings = await Promise.all(
      Object.entries(conditions).flatMap(([condition, { record }]) =>
        names.map(async (viewer): Promise<Recording> => {
          const opened = await lab.request('lab.record', { ...record, sample: sampleSource });
          return { condition, viewer, ...opened };
        }),
      ),
    );
    const ofAgent = recordings.filter(({ viewer }) => viewer !== 'chromium');
    const ofBrowser = recordings.filter(({ viewer }) => viewer === 'chromium');
    const [players, browser] = await Promise.all([
      playByAgent(audience, ofAgent, options),
      chromium === undefined ? undefined : playByChromium(chromium, ofBrowser, options),
    ]);
    const figures = new Map([...players, ...(browser?.players ?? [])]);
    const found: Record<string, Record<string, MeasuredViewer>> = {};
    await Promise.all(
      recordings.map(async (recording) => {
        const received = await finished(lab, recording, clock);
        const player = figures.get(recording.record);
        if (player) (found[recording.condition] ??= {})[recording.viewer] = { received, player };
      }),
    );
    return { conditions: found, ...(browser ? { browser: browser.name } : {}) };
  } finally {
    await Promise.all(
      open.map(async ({ agent, link }) => {
        await agent.end(() => link.request('shutdown', {}, 2000), signal?.aborted);
        link.close();
      }),
    );
  }
}

async function playByAgent(
  link: AgentLink,
  recordings: readonly Recording[],
  { playMs, clock, signal }: MeasureOptions,
): Promise<ReadonlyMap<string, BrowserFigures>> {
  const players = new Map<string, BrowserFigures>();
  await Promise.all(
    recordings.map(async ({ viewer: name, record: job, whepUrl }) => {
      const order: AgentParams<'audience.start'> = {
        ...{ job, protocol: 'whep', url: whepUrl, viewers: 1, ratePerSecond: 1, holdMs: 0 },
        fidelity: name,
      };
      await link.request('audience.start', order);
      const row = async () => (await link.request('audience.viewers', { job, offset: 0, limit: 1 })).viewers[0];
      const isPlaying = await waitUntil(
        clock,
        async () => {
          const now = await row();
          if (now?.failure) throw new Error(`The viewer of ${name} fidelity failed: ${now.failure.detail}`);
          return (now?.packets ?? 0) > 0;
        },
        startLimitMs,
        signal,
      );
      if (!isPlaying) throw new Error(`The viewer of ${name} fidelity did not connect.`);
      await sleep(clock, playMs, signal);
      const { packets = 0, lost = 0, frames = 0, freezeCount: freezes = 0, jitterMs = 0 } = (await row()) ?? {};
      players.set(job, { packets, lost, frames, freezes, jitterMs });
      await link.request('audience.stop', { job });
    }),
  );
  return players;
}

async function playByChromium(
  program: string,
  recordings: readonly Recording[],
  { playMs, clock, signal }: MeasureOptions,
): Promise<{ readonly name: string; readonly players: ReadonlyMap<string, BrowserFigures> }> {
  const page = await servePlayers(new Map(recordings.map(({ record, whepUrl }) => [record, whepUrl])), playMs);
  const browser = startChromium(program, page.url, clock, loopbackOnly);
  const waiting = new AbortController();
  signal?.addEventListener('abort', () => waiting.abort());
  try {
    const late = sleep(clock, startLimitMs + playMs, waiting.signal).then(() => {
      throw new Error(`${program} did not play within ${startLimitMs / 1000} s.`);
    });
    const ended = browser.closed.then((sentence) => {
      throw new Error(sentence);
    });
    const reports = await Promise.race([page.reports, late, ended]);
    const [first] = reports.values();
    return { name: first?.browser ?? 'Chromium', players: reports };
  } finally {
    waiting.abort();
    page.close();
    await browser.end();
  }
}

/** What the lab received from a viewer, once it has disconnected. */
async function finished(lab: AgentLink, { record, viewer }: Recording, clock: Clock): Promise<RecordedViewer> {
  let received: RecordedViewer | undefined;
  const read = async (close: boolean): Promise<void> => {
    [received] = (await lab.request('lab.recorded', { record, close })).viewers;
  };
  const hasBoth = async (): Promise<boolean> => {
    await read(false);
    return (received?.end?.length ?? 0) >= 2; // DELETE, and the alert of DTLS
  };
  await waitUntil(clock, hasBoth, endLimitMs);
  await read(true);
  if (!received) throw new Error(`The viewer ${viewer} sent no offer.`);
  return received;
}
