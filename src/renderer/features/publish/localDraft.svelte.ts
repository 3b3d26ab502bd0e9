import type { Capturable, Settings, ShellApi } from '../../../contract/shell';
import { isCapture, type CaptureKind, type LocalSource } from '../../../domain/model/localSources';
import { usualMedia, type PublishMedia, type WindowProtocol } from '../../../domain/model/publishMedia';
import { videoCodecs } from '../../../domain/model/videoCodecs';
import { codecsIn } from '../../player/publish/mediaRules';
import type { SourceChoice } from '../../player/publish/publishSources';
import { readKbps } from './mediaForm';
import { errorText } from '../../../domain/text/errorText';

/** What is chosen for sources of the window, and what there is to choose from. */
export class LocalDraft {
  /** As chosen, even where it is not possible. */
  media = $state.raw<PublishMedia>(usualMedia);
  /** As typed. */
  kbps = $state('');
  readonly kbpsProblem = $derived(readKbps(this.kbps).problem);
  protocol = $state<WindowProtocol>();
  camera = $state<string>();
  microphone = $state<string>();
  file = $state.raw<File>();
  /** Chosen to be captured, by its id. */
  capture = $state<string>();
  devices = $state.raw<readonly MediaDeviceInfo[]>([]);
  /** What can be captured; undefined until it is listed. */
  captures = $state.raw<readonly Capturable[]>();
  /** Why nothing is listed. */
  problem = $state<string>();
  readonly encodes = codecsIn(RTCRtpSender.getCapabilities('video')?.codecs ?? [], videoCodecs);
  readonly #shell: ShellApi;
  /** Number of the latest list of what can be captured. */
  #listing = 0;
  readonly #refresh = (): void => void this.#listDevices();

  constructor(shell: ShellApi, last: Settings['lastPublish']) {
    this.#shell = shell;
    if (last?.media) this.media = last.media;
    this.kbps = last?.media?.maxKbps?.toString() ?? '';
    this.protocol = last?.protocol;
    this.camera = last?.camera;
    this.microphone = last?.microphone;
    this.#refresh();
    navigator.mediaDevices.addEventListener('devicechange', this.#refresh);
  }

  dispose(): void {
    navigator.mediaDevices.removeEventListener('devicechange', this.#refresh);
  }

  /** With the typed bitrate; of an invalid one the usual. */
  readonly chosen = $derived<PublishMedia>({ ...this.media, maxKbps: readKbps(this.kbps).maxKbps });

  change(media: Partial<PublishMedia>): void {
    this.media = { ...this.media, ...media };
  }

  /** What the next draft starts with. */
  get remembered(): Pick<NonNullable<Settings['lastPublish']>, 'protocol' | 'media' | 'camera' | 'microphone'> {
    return { protocol: this.protocol, media: this.chosen, camera: this.camera, microphone: this.microphone };
  }

  /** What is picked for one source. A device that is no longer connected is not. */
  picked(source: LocalSource): Pick<SourceChoice, 'camera' | 'microphone' | 'file'> & { readonly capture?: string } {
    const present = (id: string | undefined): string | undefined =>
      this.devices.some(({ deviceId }) => deviceId === id) ? id : undefined;
    if (source === 'camera') return { camera: present(this.camera), microphone: present(this.microphone) };
    if (source === 'file') return { file: this.file };
    return isCapture(source) ? { capture: this.capture } : {};
  }

  /** The cameras or microphones, without the entries that only refer to another one. */
  devicesOf(kind: MediaDeviceKind): readonly MediaDeviceInfo[] {
    return this.devices.filter((device) => device.kind === kind && !/^(default|communications)$/.test(device.deviceId));
  }

  /** Lists what can be captured, and chooses the first if the chosen one is no longer there. */
  async listCaptures(kind: CaptureKind): Promise<void> {
    this.captures = undefined;
    this.problem = undefined;
    this.#listing += 1;
    const listing = this.#listing;
    const found = await this.#shell.call('shell.captures', { kind }).catch((error: unknown) => {
      if (listing === this.#listing) this.problem = errorText(error);
      return [];
    });
    // Another kind has been chosen meanwhile.
    if (listing !== this.#listing) return;
    this.captures = found;
    if (!this.captures.some(({ id }) => id === this.capture)) this.capture = this.captures[0]?.id;
  }

  async #listDevices(): Promise<void> {
    this.devices = await navigator.mediaDevices.enumerateDevices();
  }
}
