import { ignoring } from '../../../contract/fieldSchemas';
import { planSchema } from '../../../contract/planSchemas';
import { nodeSettings } from './node';

/** The plan as saved in a run. */
export const savedPlan = planSchema(nodeSettings, ignoring);
