/**
 * Chromium begins with 300 kbit/s and takes ten seconds and more to reach the limit: a test needs a steady stream. Above
 * this the start would flood a path that turns out to be slow.
 */
const mostKbps = 3000;

/**
 * An answer by which Chromium starts its video at this limit instead, by its own parameter of the format
 * (`x-google-start-bitrate`).
 */
export function withStartBitrate(answerSdp: string, limitKbps: number): string {
  const [session = '', ...sections] = answerSdp.split(/(?=^m=)/m);
  const parameter = `x-google-start-bitrate=${Math.round(Math.min(limitKbps, mostKbps))}`;
  return [session, ...sections.map((section) => withParameter(section, parameter))].join('');
}

function withParameter(section: string, parameter: string): string {
  const format = /^m=video \d+ \S+ (\d+)/.exec(section)?.[1];
  if (format === undefined) return section;
  const parameters = new RegExp(`^(a=fmtp:${format} [^\\r\\n]+)`, 'm');
  if (parameters.test(section)) return section.replace(parameters, `$1;${parameter}`);
  return section.replace(
    new RegExp(`^(a=rtpmap:${format} [^\\r\\n]+)(\\r?\\n)`, 'm'),
    `$1$2a=fmtp:${format} ${parameter}$2`,
  );
}
