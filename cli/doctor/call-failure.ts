import { ApplicationFailure } from '@temporalio/common';
import { adapterFor } from '../../activities/model/adapters/adapter-for';
import type { ErrorType } from '../../agent/errors/error';
import { messageOf } from '../../agent/errors/error';
import { isAdapted, type ModelConfig } from '../../agent/model/config';
import { functionText } from '../../agent/model/names/function-name';
import type { JsonObject } from '../../agent/values/json';
import { failureData } from './failure-data';
import type { Finding } from './finding';

type Told = Pick<Finding, 'found' | 'todo'>;

/** A call that failed, with what its failure says. */
interface Failed {
  alias: string;
  config: ModelConfig;
  /** The provider's own words. */
  problem: string;
  /** What else the failure says. */
  data: JsonObject;
}

/**
 * What the failure of a model's only call means for its alias in temporal.yaml. The errors of runs know no alias, and a run has
 * been answered before: here a wrong address and a missing key are as likely as a wrong model.
 */
export function callFailure(error: unknown, alias: string, config: ModelConfig): Told {
  const type = error instanceof ApplicationFailure ? error.type : undefined;
  const explain = EXPLAINED[type as ErrorType];
  const data = failureData(error);
  if (explain === undefined || data === undefined) return { found: messageOf(error) };
  const told = explain({ alias, config, problem: String(data.problem ?? ''), data });
  const ofFunction = adapterFor(config).kind === 'function' ? FUNCTION_ADVICE[type as ErrorType] : undefined;
  return ofFunction === undefined ? told : { ...told, todo: ofFunction(alias) };
}

/** A function has no address to check. */
const FUNCTION_ADVICE: { readonly [T in ErrorType]?: (alias: string) => string } = {
  ModelAnswerUnreadable: (alias) => `correct \`stream\` in the module of \`${alias}\``,
  ModelUnavailable: (alias) => `check \`stream\` in the module of \`${alias}\`, and the server that it asks`,
};
/** Node's words for a certificate that it does not trust. */
const UNTRUSTED = /self-signed certificate|unable to (verify|get).*certificate/;

const EXPLAINED: { readonly [T in ErrorType]?: (failed: Failed) => Told } = {
  ModelNotFound(failed) {
    const { config, problem } = failed;
    const here = `${serverOf(failed)} has no model \`${config.model}\``;
    if (namesModel(failed)) return { found: `${here} (${problem})`, todo: `correct ${setting(failed, 'model')}` };
    // Servers answer 404 to any path that they do not have.
    const found = `${here}, or no API at this address (${problem})`;
    return { found, todo: `check ${setting(failed, 'baseUrl')}, then ${setting(failed, 'model')}` };
  },
  ModelUnauthorized(failed) {
    const { config, alias, problem, data } = failed;
    if (data.keyless !== true) {
      const found = `${serverOf(failed)} refused the key for \`${config.model}\` (${problem})`;
      return { found, todo: `check ${setting(failed, 'apiKey')}, and the environment variable that it names` };
    }
    return {
      found: `${serverOf(failed)} wants a key for \`${config.model}\` (${problem}), and \`${alias}\` has none`,
      todo: `set ${setting(failed, 'apiKey')}, such as \`\${MODEL_KEY}\``,
    };
  },
  ModelAnswerUnreadable(failed) {
    const { config, problem } = failed;
    const found = isAdapted(config)
      ? `the answer of \`${config.model}\`, from ${serverOf(failed)}, cannot be read (${problem})`
      : `${serverOf(failed)} is not an OpenAI-compatible model server (${problem})`;
    return { found, todo: `check ${setting(failed, 'baseUrl')}` };
  },
  ModelRequestInvalid(failed) {
    const found = `${serverOf(failed)} rejected the request for \`${failed.config.model}\` (${failed.problem})`;
    if (failed.data.redirects === true) return { found, todo: `check ${setting(failed, 'baseUrl')}` };
    return { found, todo: `check \`${failed.alias}\`: its model, its address and its other settings` };
  },
  ModelUnavailable(failed) {
    const { config, problem, data } = failed;
    if (data.answered === true) {
      const found = `${serverOf(failed)} gave no usable answer for \`${config.model}\` (${problem})`;
      return { found, todo: 'try again; if it stays so, see the log of the server' };
    }
    const found = `${serverOf(failed)} did not answer for \`${config.model}\` (${problem})`;
    if (UNTRUSTED.test(problem)) {
      const todo = 'name the file of its certificate, or of its authority, in the variable NODE_EXTRA_CA_CERTS';
      return { found, todo: `${todo}, here and where the worker runs` };
    }
    return { found, todo: `check that it runs, and ${setting(failed, 'baseUrl')}` };
  },
};

export function serverOf({ config }: Pick<Failed, 'config'>): string {
  const { kind, provider } = adapterFor(config);
  return kind === 'function' ? functionText(provider) : `the server at ${provider}`;
}

/** Where a setting of the model is. A module says it in its own words. */
function setting({ alias, config }: Failed, field: 'baseUrl' | 'model' | 'apiKey'): string {
  if (!isAdapted(config)) return `\`${field}\` of \`${alias}\` in temporal.yaml`;
  const what = { baseUrl: 'the address', model: 'the name of the model', apiKey: 'the key' }[field];
  return `${what} in the module of \`${alias}\``;
}

/** Whether a server has understood that it was asked for a model. */
function namesModel({ config, problem }: Failed): boolean {
  return /\bmodels?\b/i.test(problem) || problem.split(/[\s'"`,;()]+/).includes(config.model);
}
