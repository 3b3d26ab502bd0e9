import { randomUUID } from 'node:crypto';
import { goodConditions, type Conditions } from './conditions';
import { noMedia, type MediaPlane } from './media';

/** Properties of a stream; a stand-in sends these instead of media. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly videoBps: number;
  readonly audioBps: number;
  /** B-frames since its start. */
  readonly bFrames?: number;
}

export const picture240p: Picture = { width: 426, height: 240, fps: 25, videoBps: 240_000, audioBps: 32_000 };

/** A session that publishes or plays, as listed by `/stream`. */
export interface StreamSession {
  readonly mediaSessionId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly published: boolean;
  status: string;
  readonly mediaProvider: string;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** The offer of its client; empty for RTMP. */
  readonly sdp: string;
  readonly createDate: number;
  /** Current media; undefined without any. */
  picture: Picture | undefined;
  /** Ends its other side; `info` is WCS's message. */
  readonly end: (info: string) => void;
}

export interface PullAgent {
  readonly localMediaSessionId: string;
  remoteMediaSessionId: string | null;
  readonly localStreamName: string;
  readonly remoteStreamName: string;
  readonly uri: string;
  status: string;
  readonly direction: 'pull' | 'push';
  readonly close: () => void;
}

export interface Connection {
  readonly sessionId: string;
  readonly appKey: string;
  readonly clientVersion: string;
  readonly close: () => void;
}

/** The SIP agents of `/api`: stored and listed, without calls. */
export interface SipAgent {
  readonly id: number;
  readonly connection: Record<string, unknown>;
  readonly calls: Array<Record<string, unknown>>;
}

export interface RtmpPush {
  readonly mediaSessionId: string;
  readonly streamName: string;
  readonly rtmpUrl: string;
}

/** State of one stand-in. */
export class WcsNode {
  readonly conditions: Conditions = goodConditions();
  readonly nodeId = `${randomUUID()}@standin`;
  readonly streams = new Map<string, StreamSession>();
  readonly pulls = new Map<string, PullAgent>();
  readonly connections = new Map<string, Connection>();
  readonly pushes = new Map<string, RtmpPush>();
  readonly rtsp = new Map<string, { readonly uri: string; readonly status: string }>();
  readonly sipAgents = new Map<number, SipAgent>();
  private released: number[] = [];
  media: MediaPlane = noMedia;
  /** Pull requests so far, for `failEvery`. */
  pullRequests = 0;
  /** The latest message of clients, by name. */
  readonly messages = new Map<string, Readonly<Record<string, unknown>>>();
  /** Every REST request, as `METHOD path`. */
  readonly requests: string[] = [];

  published(name: string): StreamSession | undefined {
    return [...this.streams.values()].find((stream) => stream.published && stream.name === name);
  }

  playing(): StreamSession[] {
    return [...this.streams.values()].filter(({ published, status }) => !published && status === 'PLAYING');
  }

  /** Includes a player that waits for its answer. */
  playersOf(name: string): StreamSession[] {
    return [...this.streams.values()].filter((stream) => !stream.published && stream.name === name);
  }

  /** Ends one session; with a publisher also its players. */
  endStream(mediaSessionId: string, info: string): boolean {
    const stream = this.streams.get(mediaSessionId);
    if (!stream) return false;
    this.streams.delete(mediaSessionId);
    stream.end(info);
    if (stream.published)
      for (const player of this.playersOf(stream.name))
        this.endStream(player.mediaSessionId, 'Stopped by publisher stop');
    return true;
  }

  /** Agent ports by state; a pull over RTMP takes none. */
  agentPorts(): { readonly free: number; readonly busy: number; readonly quarantine: number } {
    const { agentPorts, quarantineMs } = this.conditions;
    this.released = this.released.filter((atMs) => Date.now() - atMs < quarantineMs);
    const busy = [...this.pulls.values()].filter(({ uri }) => uri.startsWith('ws')).length;
    const quarantine = this.released.length;
    return { free: Math.max(0, agentPorts - busy - quarantine), busy, quarantine };
  }

  /** Removes a pull or push; its port goes into quarantine. */
  dropPull(localMediaSessionId: string): void {
    const pull = this.pulls.get(localMediaSessionId);
    if (this.pulls.delete(localMediaSessionId) && pull?.uri.startsWith('ws')) this.released.push(Date.now());
  }

  degraded(): number {
    const { enoughCpuFor } = this.conditions;
    return Math.max(0, this.playing().length - enoughCpuFor);
  }

  /** Share of the frames that a player receives. */
  cpuShare(): number {
    const playing = this.playing().length;
    const { enoughCpuFor } = this.conditions;
    return playing > enoughCpuFor ? enoughCpuFor / playing : 1;
  }
}
