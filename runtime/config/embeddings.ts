import { z } from 'zod';
import { apiUrl, argument, duration, headers, parsedAs, section, text } from './fields';

const server = section({
  baseUrl: apiUrl,
  model: text,
  apiKey: text.exactOptional(),
  headers: headers.exactOptional(),
  queryPrefix: argument.exactOptional(),
  toolPrefix: argument.exactOptional(),
  timeout: duration.exactOptional(),
});
const local = section({ local: z.enum(['minilm'], { error: 'Expected `minilm`' }) });

/** An embedding model as temporal.yaml may define it. */
export const embeddings = z
  .unknown()
  .transform((value, context): z.output<typeof server> | z.output<typeof local> =>
    typeof value === 'object' && value !== null && 'local' in value
      ? parsedAs(local, value, context)
      : parsedAs(server, value, context),
  );
