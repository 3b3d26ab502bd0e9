/** The parts of a stream's name on SRS. */
export interface SrsName {
  readonly app: string;
  readonly stream: string;
  /** Absent for the default one. */
  readonly vhost?: string;
}

const defaultApp = 'live';
const defaultVhost = '__defaultVhost__';

/** `cam`, `app/cam`, and with a named vhost `app/cam?vhost=name`, as in SRS's own addresses. */
export function writeName({ app, stream, vhost }: SrsName): string {
  const name = app === defaultApp && !stream.includes('/') ? stream : `${app}/${stream}`;
  return vhost === undefined || vhost === defaultVhost ? name : `${name}?vhost=${vhost}`;
}

export function readName(name: string): SrsName {
  const [path = '', query] = name.split('?vhost=', 2);
  const slash = path.lastIndexOf('/');
  return {
    app: slash <= 0 ? defaultApp : path.slice(0, slash),
    stream: path.slice(slash + 1),
    ...(query ? { vhost: query } : {}),
  };
}
