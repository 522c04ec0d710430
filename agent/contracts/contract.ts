import { HoldfastError } from '../errors/error';
import { defined } from '../values/defined';
import type { JsonObject } from '../values/json';
import { isVersion, ONLY_VERSION } from '../values/version';
import { checkSchema } from './check-schema';
import { plainSchema } from './plain-schema';
import type { Schema } from './schema';

/** One version of a contract: the data of a call, and every event that may answer it. */
export interface ContractVersion {
  /** Schema of the data of a call. A field `parentSubject$$` is filled in by the run and hidden from the model. */
  readonly accepts: Schema;
  /** Schemas of the answers, by event type. */
  readonly emits: { readonly [type: string]: Schema };
}

/** Versions of a contract, by their number. */
export type ContractVersions = { readonly [version: string]: ContractVersion };

/** What {@link defineContract} takes. */
export interface ContractDefinition<Versions extends ContractVersions = ContractVersions> {
  /** Name of the service: lower-case words joined by dots. `stock.check` accepts events of type `com.stock.check`. */
  type: string;
  /** Identifies the contract; `dataschema` of its events is this, `/` and the version. Default `#/contracts/<type>`. */
  uri?: string;
  /** What the model reads about the service, unless the service has its own description. */
  description?: string;
  /** By number, such as `1.0.0`. */
  versions: Versions;
}

/** What a service and its callers agree on. */
export interface Contract<Versions extends ContractVersions = ContractVersions> {
  /** Name of the service, without prefix. */
  readonly name: string;
  /** Type of the events that it accepts: `com.<name>`, or `arvo.orc.<name>` for an agent. */
  readonly type: string;
  /** Type of the event that reports a failure: `sys.<type>.error`. */
  readonly systemError: string;
  /** Identifies the contract. */
  readonly uri: string;
  /** What the service does. */
  readonly description?: string;
  /** By number. */
  readonly versions: Versions;
}

const SERVICE = 'com.';
const AGENT = 'arvo.orc.';
const NAME = /^[a-z][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)*$/;
const PROTOTYPE = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Defines what a service accepts and what it answers with.
 * @throws HoldfastError `InvalidDefinition`, naming the place
 */
export function defineContract<const Versions extends ContractVersions>(
  definition: ContractDefinition<Versions>,
): Contract<Versions> {
  if (typeof definition !== 'object' || definition === null) fail('defineContract', 'Expected an object');
  const { type, uri, description, versions } = definition;
  if (typeof type !== 'string' || !NAME.test(type)) {
    fail(
      'defineContract.type',
      `Expected lower-case words joined by dots, such as \`stock.check\`, got \`${String(type)}\``,
    );
  }
  const prefix = prefixOf(type) ?? SERVICE;
  const name = type.startsWith(prefix) ? type.slice(prefix.length) : type;
  return contract({ name, type: prefix + name, versions, uri, description, from: 'json' });
}

/** The type of the events that a contract accepts, by the `type` that it is defined with. `undefined`: it can be none. */
export function contractType(type: string): string | undefined {
  if (!NAME.test(type)) return undefined;
  return prefixOf(type) === undefined ? SERVICE + type : type;
}

function prefixOf(type: string): string | undefined {
  return [SERVICE, AGENT].find((known) => type.startsWith(known));
}

/** The contract of an agent: the input and the completion event of each version. */
export function contractOfAgent({
  name,
  description,
  versions: own = { [ONLY_VERSION]: {} },
  ...base
}: AgentShape): Contract {
  const type = AGENT + name;
  const versions = Object.fromEntries(
    Object.entries(own).map(([number, version]) => {
      const { inputSchema = ANY, outputSchema = TEXT } = { ...base, ...version };
      return [number, { accepts: inputSchema, emits: { [`${type}.done`]: outputSchema } }];
    }),
  );
  // `defineAgent` has checked who makes the output of each version.
  return contract({ name, type, versions, uri: undefined, description, from: 'code' });
}

interface Schemas {
  inputSchema?: Schema;
  outputSchema?: Schema;
}

interface AgentShape extends Schemas {
  name: string;
  description?: string;
  versions?: { readonly [version: string]: Schemas };
}

/** The input and the answer, `{response}`, of an agent without schemas. */
const ANY = plainSchema<JsonObject>({ type: 'object' });
const TEXT = plainSchema<{ response: string }>({
  type: 'object',
  properties: { response: { type: 'string' } },
  required: ['response'],
});

interface Parts<Versions> {
  name: string;
  type: string;
  uri: string | undefined;
  description: string | undefined;
  versions: Versions;
  /** Who makes the answers. */
  from: 'json' | 'code';
}

function contract<Versions extends ContractVersions>(parts: Parts<Versions>): Contract<Versions> {
  const { name, type, versions, description } = parts;
  const place = `Contract \`${name}\``;
  if (parts.uri !== undefined && (typeof parts.uri !== 'string' || parts.uri === ''))
    fail(`${place}.uri`, 'Expected a string');
  if (description !== undefined && typeof description !== 'string') fail(`${place}.description`, 'Expected a string');
  if (typeof versions !== 'object' || versions === null || Object.keys(versions).length === 0) {
    fail(`${place}.versions`, "Expected at least one version, such as `{ '1.0.0': { accepts, emits } }`");
  }
  const systemError = `sys.${type}.error`;
  for (const [number, version] of Object.entries(versions)) {
    const at = `${place}.versions.${number}`;
    checkVersion(number, version, at, parts.from);
    if (Object.hasOwn(version.emits, systemError))
      fail(`${at}.emits`, `\`${systemError}\` is part of every contract; leave it out`);
  }
  return Object.freeze({
    name,
    type,
    systemError,
    uri: parts.uri ?? `#/contracts/${name}`,
    ...defined({ description }),
    versions,
  });
}

function checkVersion(number: string, version: ContractVersion, place: string, from: 'json' | 'code'): void {
  if (!isVersion(number)) fail(place, 'A version is three numbers joined by dots, such as `1.0.0`');
  if (typeof version !== 'object' || version === null) fail(place, 'Expected `{ accepts, emits }`');
  checkSchema(version.accepts, `${place}.accepts`, { isObject: true });
  const types = Object.keys(version.emits ?? {});
  if (types.length === 0) fail(`${place}.emits`, 'Expected the type of at least one answer with its schema');
  for (const type of types) {
    if (!NAME.test(type) || PROTOTYPE.has(type)) fail(`${place}.emits`, `\`${type}\` is not an event type`);
    checkSchema(version.emits[type], `${place}.emits.${type}`, { from });
  }
}

function fail(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place, problem });
}
