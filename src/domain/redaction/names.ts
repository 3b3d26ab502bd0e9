import { seriesDefinition, sourceOfSeries } from '../series/series';
import { hasOwnParts } from './words';

/** Interfaces as systems name them; those named by people may tell a site. */
const commonInterface =
  /^(?:lo|eth|en[ops]|wl[ops]|wlan|ww|docker|bond|team|virbr|vmbr|wg|tun|tap|cni|flannel\.|vlan|ib|usb|utun|bridge|awdl|anpi)[\dfsnpd]*(?:\.\d{1,4})?$/;

/** A name in a series or chart that is from elsewhere, and what is around it. */
export interface ForeignName {
  readonly before: string;
  readonly name: string;
  readonly after: string;
  readonly kind: 'interface' | 'figure' | 'chart';
}

/** The part of the name of a series that is not the program's: an interface of a host, or a figure of a server. */
export function foreignPartOfSeries(series: string): ForeignName | undefined {
  const [, before, found = ''] = /^(network(?:In|Out)Mbps:)(.*)$/s.exec(series) ?? [];
  if (before !== undefined) {
    const sourced = sourceOfSeries(series);
    const name = sourced ? found.slice(0, found.lastIndexOf('@')) : found;
    return commonInterface.test(name)
      ? undefined
      : { before, name, after: found.slice(name.length), kind: 'interface' };
  }
  const [, figure] = /^server:(.*)$/s.exec(series) ?? [];
  if (figure !== undefined)
    return hasOwnParts(figure) ? undefined : { before: 'server:', name: figure, after: '', kind: 'figure' };
  const [, chart] = /^custom:(.*)$/s.exec(series) ?? [];
  if (chart !== undefined && !/^[\d-]{1,10}$/.test(chart))
    return { before: 'custom:', name: chart, after: '', kind: 'chart' };
  return undefined;
}

/** A chart or a series of the program. */
export const isKnownSeries = (series: string): boolean =>
  seriesDefinition(series) !== undefined || /^custom:[\d-]{1,10}$/.test(series);

/** Parts of the names of processors and systems, besides the program's words. */
const hardwareWords: ReadonlySet<string> = new Set(
  (
    'r tm cpu intel xeon core gold silver bronze platinum atom celeron pentium ultra amd epyc ryzen threadripper pro opteron arm neoverse cortex ' +
    'ampere altra apple max graviton kunpeng kvm qemu virtual processor common haswell broadwell skylake cascadelake icelake sapphire rapids ' +
    'genuineintel authenticamd debian gnu linux ubuntu lts fedora red hat enterprise server centos stream rocky alma almalinux oracle suse opensuse ' +
    'leap tumbleweed arch alpine amazon raspbian raspberry pi windows datacenter standard home macos darwin microsoft freebsd bookworm bullseye ' +
    'trixie jammy focal noble generic cloud aws azure gcp lowlatency rt realtime smp preempt dynamic amd64 arm64 aarch64 x86 default virtual ' +
    'nt build release codename edition workstation container optimized os flatcar bottlerocket talos coreos with radeon graphics th gen eight six dual quad ' +
    'java openjdk temurin zulu corretto graalvm hotspot mixed mode sharing g1 zgc shenandoah parallel serial cms generational gc'
  ).split(' '),
);

/** Model numbers and versions: letters and digits, short. */
const model = /^(?=.*\d)[a-z0-9][a-z0-9.+_~@-]{0,23}$/;

/** Whether a word is of a processor, a system or a version: `8259cl`, `2.50ghz`, `5.15.0-1023-aws`. */
export function isHardwareWord(token: string): boolean {
  const bare = token.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (bare === '' || hardwareWords.has(bare)) return true;
  if (!model.test(bare)) return false;
  return (bare.match(/[a-z]+/g) ?? []).every(
    (letters) => letters.length <= 3 || hardwareWords.has(letters) || hasOwnParts(letters),
  );
}
