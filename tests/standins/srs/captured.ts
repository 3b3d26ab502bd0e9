import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', 'fixtures', 'srs');

/** Times of the captured responses of a real SRS 7.0.18; see tests/fixtures/srs. */
export type SrsLoad = 'idle' | 'webrtc-200' | 'rtmp-300' | 'after';

export interface CapturedStream {
  id: string;
  clients: number;
  frames: number;
  send_bytes: number;
  recv_bytes: number;
  live_ms: number;
  publish: { active: boolean; cid: string };
}

export interface CapturedClient {
  id: string;
  type: string;
  stream: string;
  publish: boolean;
  alive: number;
  recv_bytes: number;
}

type Envelope = Record<string, unknown> & { code: number };

export const capturedText = (name: string): string => readFileSync(join(folder, name), 'utf8');
const read = <T>(name: string): Envelope & T => JSON.parse(capturedText(name)) as Envelope & T;

/** Copies of the responses under one load, updated over time. */
export function captured(load: SrsLoad) {
  return {
    versions: read<object>(`${load}/versions.json`),
    summaries: read<{
      data: { now_ms: number; self: Record<string, unknown>; system: Record<string, number> };
    }>(`${load}/summaries.json`),
    streams: read<{ streams: CapturedStream[] }>(`${load}/streams.json`),
    vhosts: read<object>(`${load}/vhosts.json`),
    clients: read<{ clients: CapturedClient[] }>(`${load}/clients_count5.json`),
    metrics: capturedText(`${load}/metrics.prom`),
  };
}

/** The publishers; their own responses were captured during WebRTC publishing. */
export const capturedPublishers = (): CapturedClient[] =>
  read<{ clients: CapturedClient[] }>('whip-clients-during.json').clients;

const errors = JSON.parse(capturedText('api-errors.json')) as Record<string, Envelope>;

/** SRS's response to unknown requests; always with HTTP 200. */
export const capturedErrors = {
  unknownStream: errors['API: one stream, unknown id'],
  unknownClient: errors['API: one client, unknown id'],
  unknownPath: errors['API: unknown path'],
  unknownRoot: errors['API: unknown root path'],
};

export const whepAnswer = (): string => capturedText('whep-answer-no-publisher.sdp');
