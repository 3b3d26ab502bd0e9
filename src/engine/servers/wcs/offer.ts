/** Changes to offers for a WCS, and what it is told about them. */

/**
 * The offer as the vendor's client would send it: without candidates (the server learns them from the checks), and with
 * the bundle policy `max-compat`: each section has a port and the transport's attributes, even where the window bundles
 * all of them (RFC 8843, section 7.2.1: `bundle-only` sections have port 0).
 */
export function offerForWcs(offer: string): string {
  const [session = '', ...sections] = offer.split(/\r?\n(?=m=)/).map((part) => part.split(/\r?\n/).filter(Boolean));
  const transport = sections[0]?.filter(isTransport) ?? [];
  const rewritten = sections.map((lines) => {
    const isBundled = lines.includes('a=bundle-only');
    const isRejected = /^m=\S+ 0 /.test(lines[0] ?? '') && !isBundled;
    if (isRejected) return lines;
    const own = lines
      .filter((line) => !/^a=(candidate:|end-of-candidates|bundle-only)/.test(line))
      .map((line) =>
        line
          .replace(/^(m=\S+) \d+ /, '$1 9 ')
          .replace(/^c=IN .*/, 'c=IN IP4 0.0.0.0')
          .replace(/^a=rtcp:\d+ .*/, 'a=rtcp:9 IN IP4 0.0.0.0'),
      );
    if (own.some(isTransport)) return own;
    const afterAddress = own.findIndex((line) => line.startsWith('c=')) + 1;
    return [...own.slice(0, afterAddress || 1), ...transport, ...own.slice(afterAddress || 1)];
  });
  return [...session, ...rewritten.flat(), ''].join('\r\n');
}

/** ICE credentials and DTLS parameters. */
const isTransport = (line: string): boolean => /^a=(ice-ufrag|ice-pwd|ice-options|fingerprint|setup):/.test(line);

type Kind = 'audio' | 'video';

function sendingSections(offer: string, kind: Kind): string[] {
  return offer
    .split(/\r?\n(?=m=)/)
    .filter((section) => section.startsWith(`m=${kind} `) && !/^a=(recvonly|inactive)\s*$/m.test(section));
}

/** Whether an offer has a section of this kind in which its side sends (RFC 8866; no direction means both). */
export function sends(offer: string, kind: Kind): boolean {
  return sendingSections(offer, kind).length > 0;
}

/** What the vendor's client reports of its devices and tracks; the devices of this machine are not its server's business. */
export function localMediaInfo(offer: string): object {
  const tracks = (kind: Kind): object[] =>
    sendingSections(offer, kind).flatMap((section) => {
      const trackId = /^a=msid:\S+ (\S+)/m.exec(section)?.[1];
      return trackId === undefined ? [] : [{ trackId, device: '' }];
    });
  return { devices: { video: [], audio: [] }, tracks: { video: tracks('video'), audio: tracks('audio') } };
}
