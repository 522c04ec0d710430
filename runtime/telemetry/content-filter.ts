import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import { type TelemetryOptions, wantsContent } from './settings';

/** Characters of one attribute: receivers accept about 4 MB in one request, which contains hundreds of spans. */
const MAX_CHARS = 32_768;

/** Attributes that the filter lets through. */
export type ContentFilter = (content: { readonly [name: string]: string | undefined }) => { [name: string]: string };

/** Which content of spans is sent: none by default, else what the redaction hook returns. */
export function contentFilter(
  options: TelemetryOptions,
  log: Log,
  env: NodeJS.ProcessEnv = process.env,
): ContentFilter {
  if (!wantsContent(options, env)) return () => ({});
  // Before it is cut: half a secret might not be recognised.
  const redacted = (name: string, value: string): string | undefined => {
    if (options.redact === undefined) return value;
    try {
      const left: unknown = options.redact(name, value);
      return typeof left === 'string' ? left : undefined;
    } catch (error) {
      log.warn(
        { attribute: name, problem: messageOf(error) },
        'The redaction of a span failed; it is sent without this',
      );
      return undefined;
    }
  };
  return (content) => {
    const sent: { [name: string]: string } = {};
    for (const [name, value] of Object.entries(content)) {
      const left = value === undefined ? undefined : redacted(name, value);
      if (left !== undefined) sent[name] = left.length > MAX_CHARS ? `${left.slice(0, MAX_CHARS)}…` : left;
    }
    return sent;
  };
}
