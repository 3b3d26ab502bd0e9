import { z } from 'zod';

// Before any schema is created: zod compiles its parsers with `new Function`, which the content security policy
// refuses.
z.config({ jitless: true });
