import type { NodeCapabilities, PublishProtocol } from '../../../domain/model/node';
import type { PlayProtocol } from '../../../domain/model/protocols';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { fillAddress } from '../addressTemplate';
import type { StreamAddresses } from '../adapter';

/** Only the addresses in the settings. */
export function genericAddresses({ whep, whip, rtmp, hls, flv }: OriginSettings, stream: string): StreamAddresses {
  const all = <P extends string>(
    templates: Readonly<Partial<Record<P, string | undefined>>>,
  ): Partial<Record<P, string>> =>
    Object.fromEntries(
      Object.entries<string | undefined>(templates).flatMap(([protocol, template]) =>
        template ? [[protocol, fillAddress(template, { stream })]] : [],
      ),
    ) as Partial<Record<P, string>>;
  return {
    play: all<PlayProtocol>({ whep, rtmp, 'http-flv': flv, hls }),
    publish: all<PublishProtocol>({ whip, rtmp }),
  };
}

const names = { whep: 'WHEP', whip: 'WHIP', rtmp: 'RTMP', hls: 'HLS', flv: 'HTTP-FLV' } as const;
export type AddressKind = keyof typeof names;

/** Shown to the user, e.g. `WHEP and WHIP`. */
export function addressNames(kinds: readonly AddressKind[]): string {
  return kinds.map((each) => names[each]).join(' and ');
}

/** Kinds of address in the settings. */
export function addressKinds(settings: OriginSettings): AddressKind[] {
  return (Object.keys(names) as AddressKind[]).filter((each) => settings[each] !== undefined);
}

export function genericCapabilities(settings: OriginSettings, measure: readonly string[]): NodeCapabilities {
  const { play, publish } = genericAddresses(settings, 'x');
  const serves = Object.keys(play) as PlayProtocol[];
  return {
    publish: Object.keys(publish) as PublishProtocol[],
    pull: serves.filter((each) => each === 'whep' || each === 'rtmp'),
    play: serves.filter((each) => each !== 'rtmp'),
    serves,
    measure,
    terminate: false,
  };
}
