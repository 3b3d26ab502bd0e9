import { configuredPlay } from '../../../domain/node/streamAddresses';
import { streamAddresses, streamAddressKeys, type StreamAddressKey } from '../../../domain/model/addressKeys';
import type { NodeCapabilities, PublishProtocol } from '../../../domain/model/node';
import { playableOf } from '../../../domain/model/playerProtocols';
import type { PlayProtocol } from '../../../domain/model/protocols';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { fillAddress } from '../addressTemplate';
import type { StreamAddresses } from '../adapter';

/** Only the addresses in the settings. */
export function genericAddresses(settings: OriginSettings, stream: string): StreamAddresses {
  const all = <P extends string>(
    templates: Readonly<Partial<Record<P, string | undefined>>>,
  ): Partial<Record<P, string>> =>
    Object.fromEntries(
      Object.entries<string | undefined>(templates).flatMap(([protocol, template]) =>
        template ? [[protocol, fillAddress(template, { stream })]] : [],
      ),
    ) as Partial<Record<P, string>>;
  const { whip, rtmp, rtsp, srt } = settings;
  return {
    play: all<PlayProtocol>(configuredPlay(settings)),
    publish: all<PublishProtocol>({ whip, rtmp, rtsp, srt: srt && publishedSrt(srt) }),
  };
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

export function genericCapabilities(settings: OriginSettings, measure: readonly string[]): NodeCapabilities {
  const { play, publish } = genericAddresses(settings, 'x');
  const serves = Object.keys(play) as PlayProtocol[];
  return {
    publish: Object.keys(publish) as PublishProtocol[],
    pull: serves,
    play: playableOf(serves),
    serves,
    measure,
    terminate: false,
  };
}
