import type { ConsentFacts } from '../../src/domain/consent/planConsent';

/** A person who has added only the lab and a tester of this machine, with what a test changes. */
export const consentFacts = (over: Partial<ConsentFacts> = {}): ConsentFacts => ({
  isOwn: (settings) => ('server' in settings ? settings.server === 'lab' : settings.tester === 'local'),
  isKnown: () => false,
  isTyped: () => false,
  isBesidePlan: () => false,
  inventories: new Map(),
  families: new Map(),
  clusters: new Map(),
  storedSecrets: () => [],
  masked: (text) => text,
  ...over,
});
