import type { ErrorData, ErrorType } from './error-data';

type Told = { model: string; problem: string };

/** Errors of a model that a function of the user speaks with: no server is at its name, and no setting has its address. */
const TEXTS: { readonly [T in ErrorType]?: (what: string, problem: string) => string } = {
  ModelUnauthorized: (what, said) => `${what} says that its key is refused${said}. Check the key that it sends.`,
  ModelNotFound: (what, said) =>
    `${what} says that there is no such model${said}. Check the name of the model, and the address that it asks.`,
  ModelRequestInvalid: (what, said) =>
    `${what} says that the request is invalid${said}. Check what it sends, the model's settings and the schemas of the tools.`,
  ModelQuotaExceeded: (what, said) =>
    `${what} says that no quota is left${said}. Top up the account that it uses, or choose another model.`,
  ModelRateLimited: (what, said) =>
    `${what} says that the rate is limited${said}. Try again later, or run fewer at once.`,
  ModelUnavailable: (what, said) => `${what} gave no answer${said}. Check what it asks, then try again.`,
  ModelAnswerUnreadable: (what, said) => `${what} yields what is not an answer${said}. Correct its \`stream\`.`,
  ModelAnswerTooLarge: (what, said) =>
    `${what} yields too large an answer${said}. Check what it yields, and lower \`maxTokens\` of the model or raise the named setting.`,
  ModelAnswerTooSlow: (what, said) =>
    `${what} takes too long to answer${said}. Lower \`maxTokens\` of the model, raise the limit, or choose a faster model.`,
};

/** The text of an error of a model, if a function speaks with it. */
export function functionModelText<T extends keyof typeof TEXTS>(
  type: T,
  data: ErrorData[T] & Told & { adapter?: string },
  said: (problem: string) => string,
): string | undefined {
  if (data.adapter !== 'function') return undefined;
  return TEXTS[type]?.(`The function of the model \`${data.model}\``, said(data.problem));
}
