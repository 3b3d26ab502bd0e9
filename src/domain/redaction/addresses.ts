/** Addresses and host names as they occur in sentences, URLs and settings. */

const loopbackNames: ReadonlySet<string> = new Set([
  'localhost',
  'this-machine',
  'this machine',
  // Stands for the machine of a node if it is not known.
  'unknown',
  '0.0.0.0',
  '::',
  '::1',
]);

/** Documentation sites: they do not identify the customer. */
const publicHosts =
  /^(www\.|docs?\.)?(kernel\.org|github\.com|man7\.org|w3\.org|ietf\.org|rfc-editor\.org|nginx\.org|flashphoner\.com|livekit\.io|ossrs\.(io|net)|openvidu\.io|prometheus\.io|oracle\.com|openjdk\.org|java\.com|redhat\.com|debian\.org)$/i;

/** Last labels of names that are more likely hosts than files or settings. */
const lastLabels = new Set(
  (
    'com net org info biz edu gov mil int io dev app tv live cloud online site xyz tech studio agency ' +
    'local lan internal intranet intra corp home localdomain example test invalid arpa ' +
    'ac ad ae af ag ai al am ar at au az ba bd be bg bh bo br by bz ca ch ci cl cn co cr cu cy cz de dk do dz ec ee eg es eu fi fr ' +
    'ge gr gt hk hn hr hu id ie il in iq ir is it jm jo jp ke kg kh kr kw kz la lb li lk lt lu lv ma mc me mg mn mo mt mx my mz ' +
    'na ng ni nl no np nz om pa pe ph pk pl pt py qa ro ru sa se sg si sk sn sv th tj tm tn tr tw tz ua ug uk us uy uz va ve vn za zm zw'
  ).split(' '),
);

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
export const ipv4Source = `(?<![\\d.])${octet}(?:\\.${octet}){3}(?![\\d]|\\.\\d)`;
/** At least two colons, to exclude times and ports; matches are read by `canonicalIpv6`. */
export const ipv6Source = `(?<![\\w:.])(?=[0-9a-f:]*:[0-9a-f:]*:)[0-9a-f:]{2,39}(?:\\.\\d{1,3}){0,3}(?:%[\\w.]+)?(?![\\w:])`;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A name of at least two labels, the last of which is one of hosts. */
export const hostNameSource = `(?<![\\w.@/-])(?:${label}\\.)+[a-z]{2,24}(?![\\w-]|\\.\\w)`;

/** `2001:DB8:0::9` as `2001:db8::9`; undefined if it is not an IPv6 address. A zone is dropped. */
export function canonicalIpv6(text: string): string | undefined {
  const [address = ''] = text.toLowerCase().split('%');
  const mapped = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain = mapped ? `${mapped[1]}${hex(mapped[2], mapped[3])}:${hex(mapped[4], mapped[5])}` : address;
  const halves = plain.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  if (all.length > 8 || all.some((group) => !/^[0-9a-f]{1,4}$/.test(group))) return undefined;
  if (halves.length === 1 && all.length !== 8) return undefined;
  if (halves.length === 2 && all.length === 8) return undefined;
  const zeros = Array.from({ length: 8 - all.length }, () => '0');
  return [...(groups[0] ?? []), ...zeros, ...(groups[1] ?? [])]
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}

function hex(high: string | undefined, low: string | undefined): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}

/** The canonical form of a host: it decides the pseudonym. */
export function canonicalHost(host: string): string {
  const bare = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  return mapped?.[1] ?? canonicalIpv6(bare) ?? bare;
}

/** Loopback and documentation sites identify no customer. */
export function isPublicAddress(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === '' || loopbackNames.has(bare) || /^127\.\d+\.\d+\.\d+$/.test(bare)) return true;
  const canonical = canonicalIpv6(bare);
  return canonical === '0:0:0:0:0:0:0:0' || canonical === '0:0:0:0:0:0:0:1' || publicHosts.test(bare);
}

export function isHostName(text: string): boolean {
  const labels = text.toLowerCase().split('.');
  return lastLabels.has(labels[labels.length - 1] ?? '') && labels.some((each) => /[a-z]/.test(each));
}
