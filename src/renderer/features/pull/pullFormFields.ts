import type { PullProtocol } from '../../../domain/model/protocols';
import type { ExpectationId, Plan, Audience } from '../../../domain/model/plan';
import type { DefaultThresholds } from '../../../contract/shell';
import type { ConditionsForm } from './plan/conditionsForm';
import type { LoadProfileForm } from './plan/loadProfileForm';
import type { NetworkForm } from './plan/networkForm';
import type { TurnForm } from './plan/turnForm';
import type { FormOptions } from '../../../domain/model/options';
/** Values of the Pull dialog's fields, as typed. */
export interface PullForm {
  /** Id of the node to pull from. */
  readonly origin: string;
  readonly stream: string;
  /** A sample is published under the stream's name first; a lab does that by default. */
  readonly publishes?: boolean;
  /** Ids of the testers; absent for the default testers of the origin. */
  readonly testers?: readonly string[];
  /** Absent for the first that origin and testers have in common. */
  readonly protocol?: PullProtocol;
  readonly options: FormOptions;
  /** The simulated network. */
  readonly network: NetworkForm;
  /** How viewers use a TURN server. */
  readonly turn: TurnForm;
  readonly viewers: string;
  readonly rate: string;
  readonly hold: string;
  /** The load profile; `viewers` and `hold` above are of the simplest profile. */
  readonly loadProfile: LoadProfileForm;
  /** Further expectations, stop conditions, the schedule. */
  readonly extras: ConditionsForm;
  /** The plan's further audiences. */
  readonly also: readonly AudienceForm[];
  /** Plan content without a field; kept as is. */
  readonly rest: HiddenPlanFields;
  /** The name of a plan, and the load that it names; absent for a generated name. */
  readonly named?: { readonly name: string; readonly load: string } | undefined;
  /** Each absent for the default of origin and testers. */
  readonly expect: Readonly<Partial<Record<ExpectationId, string>>>;
  /** Expected only if it can be measured; a field edited since is always expected. */
  readonly expectIfMeasured?: Readonly<Partial<Record<ExpectationId, string>>>;
  /** The user's default thresholds, in place of the built-in ones. */
  readonly usual?: DefaultThresholds;
  /** Ids of nodes not to record besides origin and testers. */
  readonly unobserved: readonly string[];
}

/** Parts of a plan that only its text can change. */
export type HiddenPlanFields = Pick<Plan, 'also' | 'hooks'> & Pick<Audience, 'weights'>;

/** One of the further audiences of a plan, as its row shows it. */
export interface AudienceForm {
  readonly key: number;
  /** Id of the node to pull from. */
  readonly origin: string;
  readonly stream: string;
  /** Absent for the first that origin and testers have in common. */
  readonly protocol?: PullProtocol;
  readonly viewers: string;
  readonly rate: string;
  readonly network: NetworkForm;
  readonly label: string;
  /** Parts without a field; absent testers and hold are those of the first audience. */
  readonly kept: Partial<Omit<Audience, 'from' | 'stream' | 'protocol' | 'network' | 'label'>>;
}
