import type * as LiveKit from 'livekit-client';
import type { RemoteTrack, RemoteTrackPublication, Room } from 'livekit-client';
import { readReport, type PlayerReading } from '../figures/playerStats';
import { connectOptions, entriesOf, loadLiveKit, roomOptions, tokenOfEngine } from './liveKitRoom';
import { routeThroughEngine } from './engineSocket';
import { MediaWatch } from './mediaWatch';
import { errorText } from '../../../domain/text/errorText';
import { holdInJitterBuffer, shortenJitterBuffer } from './peer';
import type { Choice, Playback, PlaybackListener, PlayEngine, PlayTarget } from './playSession';

/** `VideoQuality` of LiveKit, best first. */
const layers: readonly (Choice & { readonly quality: number })[] = [
  { id: 'layer-2', title: 'High layer', quality: 2 },
  { id: 'layer-1', title: 'Medium layer', quality: 1 },
  { id: 'layer-0', title: 'Low layer', quality: 0 },
];

interface Video {
  readonly publication: RemoteTrackPublication;
  readonly participant: string;
  readonly title: string;
}

/** One hidden participant of a LiveKit room, which subscribes to one video and the audio of its participant. */
export class LiveKitPlayback implements Playback {
  readonly #watch: MediaWatch;
  #room: Room | undefined;
  #ended = false;
  #track: string | undefined;
  #layer = layers[0]?.id;
  #media = new MediaStream();
  #tracks = new Set<RemoteTrack>();
  #heldMs = 0;
  #isShort = false;

  constructor(
    private readonly engine: PlayEngine,
    private readonly target: PlayTarget,
    private readonly url: string,
    private readonly listener: PlaybackListener,
  ) {
    this.#watch = new MediaWatch({ stream: target.stream, firstMs: 10_000, silenceMs: 5000 }, listener);
    loadLiveKit()
      .then((library) => this.#join(library))
      .catch((error: unknown) => listener.failed(`${target.node}: ${errorText(error)}`));
  }

  async read(): Promise<PlayerReading | undefined> {
    const reports = await Promise.all([...this.#tracks].map((track) => track.getRTCStatsReport()));
    const entries = entriesOf(reports);
    if (entries.length === 0 || this.#ended) return undefined;
    const reading = readReport(entries);
    this.#watch.note(reading.bytes ?? 0, Date.now());
    return reading;
  }

  choose(id: string): void {
    if (layers.some((layer) => layer.id === id)) this.#layer = id;
    else this.#track = id;
    this.#subscribe();
  }

  delayBy(changeMs: number): void {
    this.#heldMs = Math.max(0, this.#heldMs + changeMs);
    this.#hold();
  }

  shortenBuffer(): void {
    this.#isShort = true;
    this.#hold();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#watch.stop();
    await this.#room?.disconnect();
  }

  async #join({ Room, RoomEvent }: typeof LiveKit): Promise<void> {
    if (this.#ended) return;
    routeThroughEngine(this.url, this.engine, this.target);
    const room = new Room(roomOptions);
    this.#room = room;
    const review = (): void => this.#subscribe();
    room
      .on(RoomEvent.TrackPublished, review)
      .on(RoomEvent.TrackUnpublished, review)
      .on(RoomEvent.TrackSubscribed, (track) => this.#add(track))
      .on(RoomEvent.TrackUnsubscribed, (track) => this.#remove(track))
      .on(RoomEvent.Disconnected, () =>
        this.listener.failed(`${this.target.node} closed the room ${this.target.stream}.`),
      );
    this.#watch.start();
    await room.connect(this.url, tokenOfEngine, connectOptions);
    if (this.#ended) return room.disconnect();
    this.#subscribe();
  }

  #videos(): Video[] {
    return [...(this.#room?.remoteParticipants.values() ?? [])].flatMap(({ identity, name, videoTrackPublications }) =>
      [...videoTrackPublications.values()].map((publication) => ({
        publication,
        participant: identity,
        title: `${name === undefined || name === '' ? identity : name} · ${publication.source.replace(/_/g, ' ')}`,
      })),
    );
  }

  #subscribe(): void {
    const videos = this.#videos();
    const chosen = videos.find(({ publication }) => publication.trackSid === this.#track) ?? videos[0];
    for (const participant of this.#room?.remoteParticipants.values() ?? [])
      for (const publication of participant.trackPublications.values()) {
        // A room without video is heard.
        const isOfChosen = chosen === undefined || participant.identity === chosen.participant;
        const isVideo = videos.some((video) => video.publication === publication);
        const isWanted = isVideo ? publication === chosen?.publication : isOfChosen;
        if (publication.isDesired !== isWanted) publication.setSubscribed(isWanted);
      }
    const hasLayers = chosen?.publication.simulcasted === true;
    const layer = layers.find(({ id }) => id === this.#layer);
    if (hasLayers && layer) chosen.publication.setVideoQuality(layer.quality);
    this.listener.choices({
      tracks: videos.map(({ publication, title }) => ({ id: publication.trackSid, title })),
      track: chosen?.publication.trackSid,
      layers: hasLayers ? layers.map(({ id, title }) => ({ id, title })) : [],
      layer: hasLayers ? this.#layer : undefined,
    });
  }

  #add(track: RemoteTrack): void {
    this.#tracks.add(track);
    this.#media.addTrack(track.mediaStreamTrack);
    this.#hold();
    this.listener.media(this.#media);
  }

  #hold(): void {
    const receivers = [...this.#tracks].flatMap(({ receiver }) => (receiver ? [receiver] : []));
    if (this.#isShort) shortenJitterBuffer(receivers);
    else holdInJitterBuffer(receivers, this.#heldMs);
  }

  #remove(track: RemoteTrack): void {
    this.#tracks.delete(track);
    this.#media.removeTrack(track.mediaStreamTrack);
  }
}
