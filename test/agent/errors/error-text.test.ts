import { busyText } from '../../../agent/errors/busy-workers';
import { type ErrorType, HoldfastError } from '../../../agent/errors/error';
import { type OfRuns, rows, type Texts } from './said';

const id = 'run-1';
const model = 'big';
const address = 'https://a.b/v1';
const busy = { workers: ['7@host'], since: '2026-01-01T00:00:00Z' };

const texts: Texts<Exclude<ErrorType, OfRuns>> = {
  InvalidDefinition: [
    [{ place: 'defineTool.run', problem: 'Expected a function' }, 'defineTool.run: Expected a function'],
    [{ place: 'defineTool.run', problem: 'no', file: '/a.ts', line: 3 }, '/a.ts:3: defineTool.run: no'],
  ],
  ModuleNotLoaded: [
    [{ file: '/a.ts', problem: 'no' }, '/a.ts: no'],
    [{ file: '/b.ts', line: 3, column: 9, problem: 'no', loadedBy: '/a.ts' }, '/b.ts:3:9: no (imported by /a.ts)'],
  ],
  InvalidInput: [[{ agent: 'a.b', problem: 'id: missing' }, 'Input of `a.b` does not fit: id: missing']],
  InvalidConfig: [
    [{ file: 't.yaml', problem: 'no' }, 't.yaml: no'],
    [{ file: 't.yaml', line: 3, problem: 'no' }, 't.yaml:3: no'],
    [{ file: 't.yaml', line: 3, column: 9, problem: 'no' }, 't.yaml:3:9: no'],
  ],
  InvalidAgentName: [
    [
      { name: 'Bob' },
      'No agent can be named `Bob`: a name is lower-case words joined by dots, at least two, such as `support.triage`; the prefix `holdfast.` is taken.',
    ],
  ],
  DelegationRefused: [
    [
      { agent: 'a.b', problem: 'it would wait for itself' },
      'The agent `a.b` was not run: it would wait for itself. Give the calling agent what it needs to do the work itself.',
    ],
  ],
  UnknownVersion: [
    [
      { agent: 'a.b', version: '3.0.0', known: ['1.0.0', '2.0.0'] },
      'The agent `a.b` has no version `3.0.0` of its contract; it has `1.0.0`, `2.0.0`. Ask for one of these, or start a worker that has it.',
    ],
  ],
  UnknownAgent: [
    [
      { agent: 'a.b', known: ['c.d', 'e.f'] },
      'No worker on this task queue knows the agent `a.b`; it knows `c.d`, `e.f`. Check the name, or start a worker that has it.',
    ],
    [
      { agent: 'a.b', known: [] },
      'No worker on this task queue knows the agent `a.b`; it knows none. Check the name, or start a worker that has it.',
    ],
  ],
  IdInUse: [
    [{ id, problem: 'it is another agent' }, 'The id `run-1` is in use: it is another agent. Choose another id.'],
  ],
  FactsMissing: [
    [
      { id, from: 4, to: 7 },
      'The run `run-1` has no facts 4 to 7: they are in the history of an earlier Temporal run. Read on with `after: 7`.',
    ],
  ],
  RunNotFound: [[{ id }, 'There is no run `run-1`. Check the id and the namespace.']],
  ServerRefused: [
    [
      { id, status: 'PERMISSION_DENIED', problem: 'not yours' },
      "The Temporal server refused a call for the run `run-1` with PERMISSION_DENIED (not yours). Check what the API key or certificate may do, and the server's limits.",
    ],
  ],
  TimedOut: [
    [
      { id },
      "The run `run-1` reached the time limit that it was started with. Start it without a limit: the agent's own limits end it.",
    ],
  ],
  StorageUnavailable: [
    [
      { where: 'the folder `/data`', problem: 'EACCES' },
      'The storage of large payloads, the folder `/data`, cannot be used (EACCES). Check `storage` in temporal.yaml, and what this process may read and write there.',
    ],
    [
      { problem: 'the bucket `b` does not have it (00ff)' },
      'A large payload of the run cannot be read: the bucket `b` does not have it (00ff).',
    ],
  ],
  NoServer: [
    [
      { problem: 'refused' },
      'No Temporal server answers (refused). Start one with `holdfast dev`, or set `temporal.address` in temporal.yaml or TEMPORAL_ADDRESS.',
    ],
    [
      { address: 'localhost:7233', problem: 'refused' },
      'No Temporal server answers at localhost:7233 (refused). Start one with `holdfast dev`, or set `temporal.address` in temporal.yaml or TEMPORAL_ADDRESS.',
    ],
    [
      { address: 'localhost:7233', problem: '' },
      'No Temporal server answers at localhost:7233. Start one with `holdfast dev`, or set `temporal.address` in temporal.yaml or TEMPORAL_ADDRESS.',
    ],
  ],
  NamespaceNotFound: [
    [
      { namespace: 'shop' },
      'The Temporal server has no namespace `shop`. Create it with `temporal operator namespace create --namespace shop`, or set `temporal.namespace`.',
    ],
  ],
  NoBinary: [
    [
      { binary: 'temporal', tried: ['/bin', 'PATH'] },
      'The program `temporal` was not found. Tried: /bin; PATH. Run `holdfast doctor` for what to do.',
    ],
  ],
  PortTaken: [
    [{ port: 7233, what: 'the server' }, 'Port 7233 for the server is taken. Stop what uses it, or choose another.'],
  ],
  DevServerFailed: [[{ problem: 'exit code 1' }, 'The Temporal dev server ended: exit code 1']],
  SearchAttributeConflict: [
    [
      { name: 'HoldfastAgent', namespace: 'shop', has: 'Text', needs: 'Keyword' },
      'The search attribute `HoldfastAgent` of the namespace `shop` is of type Text, but must be Keyword. Remove it with `temporal operator search-attribute remove`, or use another namespace.',
    ],
  ],
  NoWorker: [
    [{ taskQueue: 'q' }, 'No worker polls the task queue `q`. Start one with `holdfast worker`.'],
    [{ taskQueue: 'q', busy }, busyText(busy)],
  ],
  BudgetExhausted: [
    [
      { id: 'r', scope: 'run', kind: 'tokens', limit: 1000, spent: 950 },
      'The budget of the run `r` is used up: 950 of 1000 tokens are spent, and the next call may need more than the rest. Raise it with `holdfast raise-budget` before it ends, or give the agent a larger `budget` or a smaller task.',
    ],
    [
      { id: 'r', scope: 'exchange', kind: 'cost', limit: 1, spent: 0.9, currency: 'EUR', problem: 'n: missing' },
      'The budget of the exchange is used up: 0.9 of 1 EUR are spent, and the next call may need more than the rest (n: missing). Raise it with `holdfast raise-budget` before it ends, or give the agent a larger `budget` or a smaller task.',
    ],
    [
      { id: 'r', scope: 'run', kind: 'deadline', limit: 60_000, spent: 61_000 },
      'The budget of the run `r` is used up: 61 of 60 s have passed. Raise it with `holdfast raise-budget` before it ends, or give the agent a larger `budget` or a smaller task.',
    ],
  ],
  BudgetNotRaised: [
    [
      { id: 'r', problem: 'it has no limit for `tokens`' },
      'The budget of the run `r` was not raised: it has no limit for `tokens`.',
    ],
  ],
  ModelUnpriced: [
    [
      { alias: 'house', problem: 'The model `house` has no prices, so a budget in USD cannot be kept' },
      'The model `house` has no prices, so a budget in USD cannot be kept. Add `prices` to the alias in temporal.yaml, or choose another model.',
    ],
  ],
  ToolQuotaExhausted: [
    [
      { max: 25 },
      'Tool calls exhausted max quota: 25 model calls were made and the last one gave no valid output. Raise `limits.maxToolInteractions`, or give the agent a smaller task.',
    ],
    [
      { max: 25, problem: 'n: missing' },
      'Tool calls exhausted max quota: 25 model calls were made and the last one gave no valid output (n: missing). Raise `limits.maxToolInteractions`, or give the agent a smaller task.',
    ],
  ],
  ErrorRepeated: [
    [
      { times: 5, type: 'ParseError', message: 'It is not valid JSON: x' },
      '5 turns in a row ended with the same error, `ParseError` (It is not valid JSON: x). Look at the calls in the transcript, correct the tool or its description, or choose another model.',
    ],
    [
      { times: 5, type: 'ToolFailed', name: 'look', message: 'no' },
      '5 turns in a row ended with the same error of `look`, `ToolFailed` (no). Look at the calls in the transcript, correct the tool or its description, or choose another model.',
    ],
  ],
  NoProgress: [
    [
      { why: 'repeating' },
      "The model made the same call again and again, and its conclusion gave no valid output. Look at the transcript with `holdfast show`, make the instructions or the tool's errors clearer, or choose another model.",
    ],
    [
      { why: 'silent', problem: 'it is empty' },
      "The model gave only empty answers, and its conclusion gave no valid output (it is empty). Look at the transcript with `holdfast show`, make the instructions or the tool's errors clearer, or choose another model.",
    ],
  ],
  OutputInvalid: [
    [
      { attempts: 1, problem: 'n: missing' },
      'The model gave no valid output in 1 attempt (n: missing). Simplify the output schema, raise `limits.maxOutputAttempts`, or choose another model.',
    ],
    [
      { attempts: 3, problem: '' },
      'The model gave no valid output in 3 attempts. Simplify the output schema, raise `limits.maxOutputAttempts`, or choose another model.',
    ],
  ],
  Refused: [
    [
      { model, problem: 'a filter' },
      'The model `big` refused to answer (a filter). Change the input, or choose another model.',
    ],
  ],
  Cancelled: [[{ id }, 'The run `run-1` was cancelled.']],
  Terminated: [[{ id, problem: 'by ann' }, 'The run `run-1` was terminated (by ann).']],
  ContextBuilderFailed: [[{ agent: 'a.b', problem: 'no rows' }, 'contextBuilder of `a.b` failed: no rows']],
  OutputBuilderFailed: [[{ agent: 'a.b', problem: 'no rows' }, 'outputBuilder of `a.b` failed: no rows']],
  ContextTooLarge: [
    [
      { bytes: 11, max: 10 },
      'The first messages are 11 bytes, more than the limit of 10. Send less, or pass large media by `url`.',
    ],
  ],
  UnknownModel: [
    [
      { alias: model, known: ['default'] },
      'No model has the alias `big`; known are `default`. Add it under `models` in temporal.yaml.',
    ],
    [
      { alias: model, known: ['default'], agent: 'a.b' },
      'No model has the alias `big`, which the agent `a.b` names; known are `default`. Add it under `models` in temporal.yaml.',
    ],
    [
      { alias: model, known: [], problem: 'it timed out' },
      'No worker could look up the model alias `big` (it timed out). Check that a worker runs, and try again.',
    ],
  ],
  ModelUnauthorized: [
    [
      { model, address, problem: '401' },
      "The model server at https://a.b/v1 refused the key for `big` (401). Check the key's environment variable in temporal.yaml.",
    ],
    [
      { model, address, problem: '401', keyless: true },
      'The model server at https://a.b/v1 wants a key for `big` (401), and its alias has none. Set `apiKey` of the alias in temporal.yaml.',
    ],
    [
      { model, address: 'anthropic.messages', problem: '401', adapter: 'ai-sdk' },
      'The model server at anthropic.messages refused the key for `big` (401). Check the key that its model is made with.',
    ],
  ],
  ModelNotFound: [
    [
      { model, address, problem: '404' },
      'The model server at https://a.b/v1 has no model `big` (404). Check `model` and `baseUrl` of its alias in temporal.yaml.',
    ],
    [
      { model, address: 'anthropic.messages', problem: '404', adapter: 'ai-sdk' },
      'The model server at anthropic.messages has no model `big` (404). Check the name and the address that its model is made with.',
    ],
  ],
  ModelRequestInvalid: [
    [
      { model, address, problem: '400' },
      "The model server at https://a.b/v1 rejected the request for `big` (400). Check the model's settings in temporal.yaml and the schemas of the tools.",
    ],
    [
      { model, address, problem: '307', redirects: true },
      'The model server at https://a.b/v1 redirects the request for `big` to another address, to which nothing is sent (307). Correct `baseUrl` of its alias in temporal.yaml.',
    ],
    [
      { model, address, problem: '307', redirects: true, adapter: 'ai-sdk' },
      'The model server at https://a.b/v1 redirects the request for `big` to another address, to which nothing is sent (307). Correct the address that its model is made with.',
    ],
  ],
  ModelContextTooLong: [
    [
      { model, problem: '400' },
      'The transcript no longer fits the context window of `big` (400). Lower `limits.maxResultChars`, or choose a model with a larger window.',
    ],
  ],
  ModelQuotaExceeded: [
    [
      { model, address, problem: '402' },
      'The account behind `big` at https://a.b/v1 has no quota left (402). Top it up, or choose another model in temporal.yaml.',
    ],
  ],
  ModelRateLimited: [
    [
      { model, address, problem: '429', retryAfter: 7 },
      'The model server at https://a.b/v1 limits the rate for `big` (429). Try again later, or run fewer at once.',
    ],
  ],
  ModelUnavailable: [
    [
      { model, address, problem: '' },
      'The model server at https://a.b/v1 did not answer for `big`. Check that it runs and that `baseUrl` in temporal.yaml is right, then try again.',
    ],
    [
      { model, address, problem: '503 busy', answered: true },
      'The model server at https://a.b/v1 gave no usable answer for `big` (503 busy). Try again later, or choose another model.',
    ],
    [
      { model, address: 'my gateway', problem: 'offline', adapter: 'function' },
      'The function of the model `big` gave no answer (offline). Check what it asks, then try again.',
    ],
  ],
  ModelAnswerUnreadable: [
    [
      { model, address, problem: 'HTML' },
      'The server at https://a.b/v1 is not an OpenAI-compatible model server (HTML). Check `baseUrl` of `big` in temporal.yaml.',
    ],
    [
      { model, address: 'my gateway', problem: 'part 1: no', adapter: 'function' },
      'The function of the model `big` yields what is not an answer (part 1: no). Correct its `stream`.',
    ],
  ],
  ModelAnswerTooLarge: [
    [
      { model, address, problem: 'over `maxAnswerBytes`' },
      'The answer of `big` at https://a.b/v1 is too large (over `maxAnswerBytes`). Check what the server sends, and lower `maxTokens` of the model in temporal.yaml or raise the named setting.',
    ],
  ],
  ModelAnswerTooSlow: [
    [
      { model, address, problem: 'over 10 min' },
      'The answer of `big` at https://a.b/v1 took too long (over 10 min). Lower `maxTokens` of the model in temporal.yaml, raise the limit, or choose a faster model.',
    ],
  ],
  McpServerFailed: [
    [
      { server: 'crm', command: 'npx crm', problem: 'exit code 1' },
      'The MCP server `crm` did not start (exit code 1). Its command is `npx crm`: run it by hand to see why.',
    ],
    [
      { server: 'crm', command: 'npx crm', problem: '', advice: 'install Node.js' },
      'The MCP server `crm` did not start. Its command is `npx crm`: install Node.js.',
    ],
    [
      { server: 'crm', url: address, problem: '502' },
      'The MCP server `crm` at https://a.b/v1 cannot be used (502): check that it runs and that its `url` is right.',
    ],
    [
      { server: 'crm', url: address, problem: '401', advice: 'check the key' },
      'The MCP server `crm` at https://a.b/v1 cannot be used (401): check the key.',
    ],
  ],
};

test.each(rows(texts))('%s of %j says what happened and what to do', (type, data, text) => {
  expect(new HoldfastError(type, data).message).toBe(text);
});
