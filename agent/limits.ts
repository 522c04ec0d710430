/** The limits of a run, as pinned. Times are milliseconds. */
export interface Limits {
  /** Model calls that may ask for tools, self-correction included. Default 25. */
  maxToolInteractions: number;
  /** Characters of one tool result that the model sees. Default 30,000, for small models 6,000. */
  maxResultChars: number;
  /** Milliseconds without a heartbeat after which a worker counts as dead. Default 10,000. */
  heartbeatTimeout: number;
  /** Milliseconds that one attempt of a model call may take. Default 600,000. */
  modelTimeout: number;
  /** Invalid outputs of one task, or one exchange, after which it fails. Default 3. */
  maxOutputAttempts: number;
  /** Milliseconds for which MCP servers, contextBuilder and outputBuilder are retried. Default 600,000. */
  startPatience: number;
}

const KB = 1024;

/** Sizes in bytes. Temporal's own limits: one payload 2 MiB, one gRPC message (all commands of a task) 4 MiB. */
export const BYTES = {
  /** Input of a run: it is in the start event and in the arguments of the activity that builds its context. */
  input: 1024 * KB,
  /**
   * Input, owner and metadata of a run that `holdfast.describeAgent` gets as well: where it cannot use them, they are in
   * the history twice.
   */
  start: 128 * KB,
  /**
   * First messages and system prompt of a run, one payload: 0.5 MiB below the limit leaves room for an encrypting
   * codec.
   */
  context: 1536 * KB,
  /** One answer of a model, one payload; its tool calls become the arguments of one task. */
  answer: 1024 * KB,
  /** A tool result that is kept whole, media included. It shares one payload with its cut form. */
  result: 1024 * KB,
  /** Arguments of all commands of one workflow task: below the 4 MiB of one gRPC message, with room for a codec. */
  task: 3 * 1024 * KB,
  /** A larger delta is not sent; the activity fetches the messages by query. */
  delta: 256 * KB,
  /**
   * A message or an answer of a person. All updates in flight, ten by default, may be accepted in one workflow task,
   * which repeats them.
   */
  message: 128 * KB,
  /** A page of the transcript or of the facts. */
  page: 1024 * KB,
  /** Owner and metadata of a run. */
  metadata: 64 * KB,
} as const;

export const DEFAULT_LIMITS: Limits = {
  // The default of Arvo, see SeenCount and quota in its agent runner.
  maxToolInteractions: 25,
  // About 7,500 tokens: five such results fill a window of 32,000 with room to answer.
  maxResultChars: 30_000,
  // A dead worker is noticed after about this time. With a shorter time a busy event loop looks dead.
  heartbeatTimeout: 10_000,
  modelTimeout: 600_000,
  // A model that has read two times what is wrong with its answer and fails again rarely succeeds later.
  maxOutputAttempts: 3,
  // A database failover or the deployment of an MCP server is over by then.
  startPatience: 600_000,
};

/** The default of `maxResultChars` for small models: about 1,500 tokens, as in the local agent for them. */
export const SMALL_RESULT_CHARS = 6000;

/**
 * Default milliseconds without a heartbeat after which the worker of a `once` call counts as dead. A call that is
 * blocked for longer gets an unknown outcome although its worker lives: a tool of another run that blocks the event
 * loop for 20 s must not cause that. A dead worker is noticed later, but nothing waits for that: such a call is never
 * repeated. Calls that may be repeated keep the short time, since their repetition waits for it.
 */
export const ONCE_HEARTBEAT_TIMEOUT = 60_000;

/**
 * How many calls of one answer are run. Temporal allows 2,000 pending activities of a run, and a task that asks for
 * more fails on every retry.
 */
export const MAX_CALLS = 500;

/**
 * Limits for tools that run with the answer that calls them: calls of one answer, milliseconds for all of them, bytes
 * of one result, bytes of the answer with its results. A tool that reads a cache or an index is done by then. A call
 * that does not fit runs in a separate activity and loses the time spent here.
 */
export const WITH_ANSWER = { calls: 40, time: 500, result: 64 * KB, payload: 1024 * KB } as const;

/** Default milliseconds for one attempt of a tool: the 60 s that are usual for MCP clients. */
export const DEFAULT_TOOL_TIMEOUT = 60_000;

/**
 * Milliseconds that a run waits for a model that does not answer: long enough for a long outage of the provider if
 * there is no alternative, short if another model or a static answer follows.
 */
export const MODEL_PATIENCE = { alone: 86_400_000, followed: 120_000 } as const;

/**
 * Attempts of one model call: about eight fit into the minute of retries in an outage, the others are for lost workers.
 */
export const MODEL_ATTEMPTS = 20;

/** How many attempts of a model call may take all of `limits.modelTimeout`: each of them is paid for. */
export const SLOW_ATTEMPTS = 3;

/** Default milliseconds for the start of an MCP server: `npx` may have to unpack it first. */
export const DEFAULT_START_TIMEOUT = 30_000;

/** Attempts of an activity whose worker dies or whose provider fails. Back-off 1 s, doubling, at most 60 s. */
export const ATTEMPTS = 10;

/** Milliseconds that one attempt to describe an agent, or to build its context or output, may take. */
export const START_ATTEMPT = 120_000;
