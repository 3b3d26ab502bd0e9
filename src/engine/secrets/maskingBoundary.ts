import type { AlertRule } from '../../domain/incidents/rules';
import type { NodeSettings } from '../../domain/model/nodeSettings';
import type { Plan } from '../../domain/model/plan';
import { masked } from '../../domain/redaction/patterns';
import { maskAddresses } from '../../domain/secrets/addressSecrets';
import type { SecretMask } from '../../domain/secrets/secretMask';
import { FullhouseError, type Handlers } from '../../contract/calls';
import type { AnyCalls, EngineEventName, EngineEvents } from '../../contract/engine';
import type { RunRecorder, RunRecording } from '../store';
import { withCreate } from '../store/withCreate';

/** Images and figures: large, and without text. */
const withoutText: ReadonlySet<string> = new Set([
  'runs.samples',
  'runs.overview',
  'runs.stillData',
  'samples',
  'playerData',
  // Sent to the keychain and nowhere else.
  'keepSecrets',
  'keepNamedSecrets',
]);

/** Masks the known secrets in every response, error and event; masked values that come back are unmasked. */
export class MaskingBoundary {
  /** Addresses of streams that the control player received. */
  private readonly played = new Map<string, string>();

  constructor(
    private readonly mask: SecretMask,
    private readonly settingsOf: (node: string) => NodeSettings | undefined,
    private readonly rulesNow: () => readonly AlertRule[] = () => [],
  ) {}

  handlers(handlers: Handlers<keyof AnyCalls>): Handlers<keyof AnyCalls> {
    const guarded = Object.entries(handlers).map(([name, handler]) => {
      const call = handler as (input: unknown) => unknown;
      // Passed on as it is: a rejection that waits for an outer promise ends Electron 22's utility process as
      // unhandled.
      return [name, (input: unknown) => this.answer(name, call, input)];
    });
    return Object.fromEntries(guarded) as Handlers<keyof AnyCalls>;
  }

  /** A listener whose payloads are masked. */
  listener<E extends EngineEventName>(
    name: E,
    listener: (payload: EngineEvents[E]) => void,
  ): (payload: EngineEvents[E]) => void {
    return withoutText.has(name) ? listener : (payload) => listener(this.mask.value(payload, [name]));
  }

  private async answer(name: string, call: (input: unknown) => unknown, given: unknown): Promise<unknown> {
    try {
      const input = this.original(given);
      this.learn(input);
      const output = await call(input);
      if (withoutText.has(name)) return output;
      const clean = withShownItems(name, output, this.mask.value(output, [name]));
      if (name === 'player.address') this.rememberPlayed(output, clean);
      return clean;
    } catch (error) {
      throw this.masked(error);
    }
  }

  private masked(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const message = this.mask.text(error.message);
    if (message === error.message) return error;
    // The cause would contain the text.
    return error instanceof FullhouseError ? new FullhouseError(error.code, message) : new Error(message);
  }

  /** What the user enters is secret before it is used. */
  private learn(input: unknown): void {
    if (!isRecord(input)) return;
    const { secrets, value, address, settings, plan } = input;
    if (isRecord(secrets)) for (const each of Object.values(secrets)) if (typeof each === 'string') this.mask.add(each);
    if (typeof value === 'string') this.mask.add(value);
    for (const each of [address, settings, plan]) this.learnAddresses(each);
  }

  private learnAddresses(value: unknown): void {
    if (typeof value === 'string') this.mask.addAddresses(value);
    else if (typeof value === 'object' && value !== null)
      Object.values(value).forEach((each) => this.learnAddresses(each));
  }

  private original(input: unknown): unknown {
    if (!isRecord(input)) return input;
    const { plan, settings, name, node, url, rules } = input;
    if (Array.isArray(rules)) return { ...input, rules: this.originalRules(rules as readonly AlertRule[]) };
    if (isRecord(plan)) return { ...input, plan: this.originalPlan(plan as unknown as Plan) };
    if (isRecord(settings)) {
      const known = this.settingsOf(String(node ?? name));
      return { ...input, settings: this.originalSettings(settings as unknown as NodeSettings, known) };
    }
    return typeof url === 'string' ? { ...input, url: this.played.get(url) ?? url } : input;
  }

  /** Of the rule of the same name, or of another one: a rule may have been renamed. */
  private originalRules(rules: readonly AlertRule[]): readonly AlertRule[] {
    const known = this.rulesNow();
    return rules.map((rule) => {
      const all = [
        ...known.filter(({ name }) => name === rule.name),
        ...known.filter(({ name }) => name !== rule.name),
      ];
      const words = all.flatMap(({ webhook = [], command = [] }) => [webhook, command].flat());
      const original = (text: string): string =>
        text.includes(masked) ? (words.find((word) => this.mask.text(word) === text) ?? text) : text;
      const { webhook, command } = rule;
      return {
        ...rule,
        ...(webhook === undefined ? {} : { webhook: original(webhook) }),
        ...(command === undefined ? {} : { command: command.map(original) as [string, ...string[]] }),
      };
    });
  }

  private originalPlan(plan: Plan): Plan {
    const nodes = Object.entries(plan.nodes).map(([name, settings]) => [
      name,
      this.originalSettings(settings, this.settingsOf(name)),
    ]);
    const publish = plan.publish.map((each) => ({ ...each, source: this.mask.original(each.source) ?? each.source }));
    return { ...plan, nodes: Object.fromEntries(nodes) as Plan['nodes'], publish };
  }

  /** A masked text that is no longer known stays, and is refused as settings. */
  private originalSettings<S extends NodeSettings>(settings: S, known: NodeSettings | undefined): S {
    const before: Readonly<Record<string, unknown>> = { ...known };
    const fields = Object.entries(settings).map(([key, text]: [string, unknown]) => {
      if (typeof text !== 'string') return [key, text];
      const own = before[key];
      if (typeof own === 'string' && own !== text && maskAddresses(own) === text) return [key, own];
      return [key, this.mask.original(text) ?? text];
    });
    return Object.fromEntries(fields) as S;
  }

  private rememberPlayed(output: unknown, clean: unknown): void {
    if (!isRecord(output) || !isRecord(clean)) return;
    const [url, shown] = [output['url'], clean['url']];
    if (typeof url === 'string' && typeof shown === 'string' && url !== shown) this.played.set(shown, url);
  }
}

/**
 * A recorder whose runs contain none of the known secrets: what is masked when it is written is masked in everything
 * derived from it.
 */
export function maskingRecorder(recorder: RunRecorder, mask: SecretMask): RunRecorder {
  return withCreate(recorder, async (view, ...rest) =>
    maskingWriter(await recorder.create(mask.value(view, ['view']), ...rest), mask),
  );
}

function maskingWriter(writer: RunRecording, mask: SecretMask): RunRecording {
  return {
    id: writer.id,
    append: (samples) => writer.append(samples),
    histograms: (rows) => writer.histograms(rows),
    event: (event) => writer.event(mask.value(event, ['event'])),
    still: (still) => writer.still(still),
    setView: (view) => writer.setView(mask.value(view, ['view'])),
    setViewers: (rows) => writer.setViewers(mask.value(rows, ['viewer'])),
    flush: () => writer.flush(),
    secure: () => writer.secure(),
    finish: (view) => writer.finish(mask.value(view, ['view'])),
  };
}

/** Lists of what a person has to allow. What they show is masked where they are made: see `shownItem`. */
const consentLists: Readonly<Record<string, string>> = {
  ...{ 'plans.consent': 'items', 'incidents.rules': 'notAllowed', 'incidents.setRules': 'notAllowed' },
};

function withShownItems(name: string, output: unknown, clean: unknown): unknown {
  const list = consentLists[name];
  return list !== undefined && isRecord(output) && isRecord(clean) ? { ...clean, [list]: output[list] } : clean;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
