/** The parts of a stream's name on SRS. */
export interface SrsName {
  readonly app: string;
  readonly stream: string;
  /** Absent for the default one. */
  readonly vhost?: string;
}

const usualApp = 'live';
const usualVhost = '__defaultVhost__';

/** `cam`, `app/cam`, and with a vhost of its own `app/cam?vhost=name`, as SRS's own addresses have it. */
export function writeName({ app, stream, vhost }: SrsName): string {
  const name = app === usualApp && !stream.includes('/') ? stream : `${app}/${stream}`;
  return vhost === undefined || vhost === usualVhost ? name : `${name}?vhost=${vhost}`;
}

export function readName(name: string): SrsName {
  const [path = '', query] = name.split('?vhost=', 2);
  const slash = path.lastIndexOf('/');
  return {
    app: slash <= 0 ? usualApp : path.slice(0, slash),
    stream: path.slice(slash + 1),
    ...(query ? { vhost: query } : {}),
  };
}
