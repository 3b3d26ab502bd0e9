/**
 * An address with `{stream}` (and `{app}` where a family has one) filled in, encoded for each part of the address:
 * a slash stays a slash in the path but not in the query.
 */
export function fillAddress(template: string, names: Readonly<Record<string, string>>): string {
  const query = template.indexOf('?');
  const fill = (text: string, write: (name: string) => string): string =>
    text.replace(/\{(\w+)\}/g, (hole, key: string) => {
      const name = Object.hasOwn(names, key) ? names[key] : undefined;
      return name === undefined ? hole : write(name);
    });
  const inPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
  if (query === -1) return fill(template, inPath);
  return fill(template.slice(0, query), inPath) + fill(template.slice(query), encodeURIComponent);
}

/** A host as sockets take it: IPv6 without the brackets of an address. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '');

/** The port of an HTTP or WebSocket address, also where it is the usual one. */
export const webPortOf = ({ port, protocol }: URL): string =>
  port || (/^(?:https|wss):$/.test(protocol) ? '443' : '80');

/** A host as written in an address: IPv6 in brackets. */
export function hostInAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
