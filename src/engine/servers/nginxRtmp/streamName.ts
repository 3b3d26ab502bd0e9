/** Where a stream is on nginx-rtmp. */
export interface RtmpName {
  readonly app: string;
  readonly stream: string;
  /** Number of nginx's `server` block, where it is not the first. */
  readonly server: number;
}

const usualApp = 'live';

/** `cam` in the app `live`, else `app/cam`; in another than the first `server` block with its number behind. */
export function writeName({ app, stream, server }: RtmpName): string {
  const name = app === usualApp && !stream.includes('/') ? stream : `${app}/${stream}`;
  return server === 0 ? name : `${name}?srv=${server}`;
}

export function readName(name: string): RtmpName {
  const match = /^(?:([^/]+)\/)?(.*?)(?:\?srv=(\d+))?$/.exec(name);
  return { app: match?.[1] ?? usualApp, stream: match?.[2] ?? '', server: Number(match?.[3] ?? 0) };
}
