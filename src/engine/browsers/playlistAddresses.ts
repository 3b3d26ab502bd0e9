/** The addresses to which an HLS playlist (RFC 8216) at `base` refers; none if the text is no playlist. */
export function playlistAddresses(text: string, base: string): string[] {
  if (!text.startsWith('#EXTM3U')) return [];
  const variables = new Map<string, string>();
  for (const [, attributes = ''] of text.matchAll(/^#EXT-X-DEFINE:(.*)$/gm)) {
    const value = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
    const [name, parameter] = [value('NAME'), value('QUERYPARAM')];
    if (name !== undefined) variables.set(name, value('VALUE') ?? '');
    if (parameter !== undefined) variables.set(parameter, new URL(base).searchParams.get(parameter) ?? '');
  }
  const written = text.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith('#')) return line.trim() === '' ? [] : [line.trim()];
    return [...line.matchAll(/[:,](?:URI|X-ASSET-URI)="([^"]*)"/g)].map(([, uri = '']) => uri);
  });
  return written.flatMap((uri) => {
    try {
      return [
        new URL(
          uri.replace(/\{\$([\w-]+)\}/g, (_, name: string) => variables.get(name) ?? ''),
          base,
        ).href,
      ];
    } catch {
      return [];
    }
  });
}
