import type { Limits } from './protocol/manifest';

const KB = 1024;

/** Sizes in bytes. TEMPORAL's own limits: one payload 2 MiB, one gRPC message (all commands of a task) 4 MiB. */
export const BYTES = {
  /** Input of a run: it stands in the start event and in the arguments of `holdfast.buildContext`. */
  input: 1024 * KB,
  /** First messages of a run and its system prompt, one payload: half a MiB below the limit for an encrypting codec. */
  context: 1536 * KB,
  /** One answer of a model, one payload; its tool calls become the arguments of one task. */
  answer: 1024 * KB,
  /** A tool result that is kept whole, media included: one payload together with its cut form. */
  result: 1024 * KB,
  /** Arguments of all commands of one workflow task: under the 4 MiB of one gRPC message, with room for a codec. */
  task: 3 * 1024 * KB,
  /** A delta over this is not sent; the activity fetches the messages by query. */
  delta: 256 * KB,
  /**
   * A message, or an answer, of a person. All updates in flight, by default ten, may be accepted in one workflow task, which
   * repeats them.
   */
  message: 128 * KB,
  /** A page of the transcript or of the facts. */
  page: 1024 * KB,
  /** Owner and metadata of a run. */
  metadata: 64 * KB,
} as const;

export const DEFAULT_LIMITS: Limits = {
  // Arvo's default, see SeenCount and quota in its agent runner.
  maxToolInteractions: 25,
  // About 7,500 tokens: five such results fill a window of 32,000 with room to answer.
  maxResultChars: 30_000,
  // A dead worker is noticed after about this time; shorter makes a busy event loop look dead.
  heartbeatTimeout: 10_000,
  modelTimeout: 600_000,
  // A model that has read twice what is wrong with its answer and still errs rarely gets it right later.
  maxOutputAttempts: 3,
  // A database that fails over, or an MCP server that is deployed, is back by then.
  startPatience: 600_000,
};

/**
 * Milliseconds without a heartbeat after which the worker of a `once` call counts as dead, where nobody says otherwise. Whatever
 * is held up for longer becomes an unknown outcome, though its worker lives: a tool of another run that blocks the event loop
 * for 20 s must not make one. A worker that is dead is noticed later for it, and nothing waits for that: such a call is never
 * repeated. What may be repeated keeps the short time, since its repetition waits.
 */
export const ONCE_HEARTBEAT_TIMEOUT = 60_000;

/**
 * Calls of one answer that are run. The engine holds 2,000 pending activities of a run, and a task that asks for more
 * fails for ever.
 */
export const MAX_CALLS = 500;

/**
 * What tools may take that run with the answer which calls them: calls of one answer, milliseconds for all of them, bytes of one
 * result, bytes of the answer with its results. A reader of caches and indexes is done by then; what does not fit runs in an
 * activity of its own, which costs it the time that is spent here.
 */
export const WITH_ANSWER = { calls: 40, time: 500, result: 64 * KB, payload: 1024 * KB } as const;

/** Milliseconds that one attempt of a tool may take unless it says otherwise: the MCP clients' usual 60 s. */
export const DEFAULT_TOOL_TIMEOUT = 60_000;

/**
 * Milliseconds that a run waits for a model that does not answer: long enough for a provider's bad day where nothing else
 * is there, short where another model or a static answer follows.
 */
export const MODEL_PATIENCE = { alone: 86_400_000, followed: 120_000 } as const;

/** Attempts of one model call: about eight fit into its minute of outage, the others are for lost workers. */
export const MODEL_ATTEMPTS = 20;

/** Attempts of a model call that may each take all of `limits.modelTimeout`: they are paid for. */
export const SLOW_ATTEMPTS = 3;

/** Milliseconds that an MCP server may take to start unless it says otherwise: `npx` may have to unpack it first. */
export const DEFAULT_START_TIMEOUT = 30_000;

/** Attempts of an activity whose worker dies or whose provider fails; back-off 1 s, doubling, at most 60 s. */
export const ATTEMPTS = 10;

/** Milliseconds that one attempt to describe an agent, to build its context or its output may take. */
export const START_ATTEMPT = 120_000;
