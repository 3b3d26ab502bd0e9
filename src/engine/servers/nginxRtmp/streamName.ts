/** The parts of a stream's name on nginx-rtmp. */
export interface RtmpName {
  readonly app: string;
  readonly stream: string;
  /** Index of nginx's `server` block, where it is not the first. */
  readonly server: number;
}

const defaultApp = 'live';

/** `cam` in the app `live`, else `app/cam`; the number of a `server` block other than the first is appended. */
export function writeName({ app, stream, server }: RtmpName): string {
  const name = app === defaultApp && !stream.includes('/') ? stream : `${app}/${stream}`;
  return server === 0 ? name : `${name}?srv=${server}`;
}

export function readName(name: string): RtmpName {
  const match = /^(?:([^/]+)\/)?(.*?)(?:\?srv=(\d+))?$/.exec(name);
  return { app: match?.[1] ?? defaultApp, stream: match?.[2] ?? '', server: Number(match?.[3] ?? 0) };
}
