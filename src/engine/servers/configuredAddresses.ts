import { configuredPlay } from '../../domain/node/streamAddresses';
import { streamAddresses, streamAddressKeys, type StreamAddressKey } from '../../domain/model/addressKeys';
import type { NodeCapabilities, PublishProtocol } from '../../domain/model/node';
import type { OriginSettings } from '../../domain/model/nodeSettings';
import { fillAddress } from './addressTemplate';
import type { StreamAddresses } from './adapter';
import { capabilitiesOf } from './capabilities';

/** Publishing protocols with an address of their own in the settings, under the same name. */
export const publishKeys = ['whip', 'rtmp', 'rtsp', 'srt'] as const satisfies readonly (PublishProtocol &
  StreamAddressKey)[];

/**
 * Only the addresses in the settings. Where a family's names have an application, `parts` has it; an address without
 * `{app}` has the entire name in place of the stream.
 */
export function configuredAddresses(
  settings: OriginSettings,
  stream: string,
  parts?: Readonly<Record<string, string>>,
): StreamAddresses {
  const fill = (template: string): string =>
    fillAddress(template, parts && template.includes('{app}') ? parts : { stream });
  const play = Object.entries(configuredPlay(settings)).map(
    ([protocol, template]) => [protocol, fill(template)] as const,
  );
  const publish = publishKeys.flatMap((key) => {
    const template = settings[key];
    return template ? [[key, fill(key === 'srt' ? publishedSrt(template) : template)] as const] : [];
  });
  return { play: Object.fromEntries<string>(play), publish: Object.fromEntries<string>(publish) };
}

/** The address of SRT to publish to: a `streamid` that requests a stream says so (SRT access control, and `read:NAME`). */
export const publishedSrt = (address: string): string =>
  address.replace(/([?&]streamid=)([^&]*)/, (_, key: string, id: string) => {
    const publishes = id
      .replace(/^read(:|%3A)/i, 'publish$1')
      .replace(/((?:,|%2C|:|%3A)m(?:=|%3D))request(?=,|%2C|$)/i, '$1publish');
    return key + publishes;
  });

/** Shown to the user, e.g. `WHEP and WHIP`. */
export function addressNames(kinds: readonly StreamAddressKey[]): string {
  return kinds.map((key) => streamAddresses[key].name).join(' and ');
}

/** Kinds of address in the settings. */
export function addressKinds(settings: OriginSettings): StreamAddressKey[] {
  return streamAddressKeys.filter((each) => settings[each] !== undefined);
}

export const configuredCapabilities = (settings: OriginSettings, measure: readonly string[]): NodeCapabilities =>
  capabilitiesOf(configuredAddresses(settings, 'x'), { measure, terminate: false });
