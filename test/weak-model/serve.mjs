/**
 * Serves a real language model of 135 million parameters by the API of OpenAI's chat completions:
 * `serve.mjs <folder> <seed>`, started with `fork`. It sends its parent `{ port }` and ends with it.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, seed] = process.argv.slice(2);
const library = pathToFileURL(join(folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js'));
const { getLlama, LlamaGrammarEvaluationState } = await import(library.href);

/** Tokens. The model was trained with 8,192; a smaller window is filled sooner. */
const WINDOW = 4096;
/** Tokens of an answer: what a weak model writes after them is no better, and takes a second for thirty. */
const MAX_TOKENS = 64;
const CALL = ['<tool_call>\n', '</tool_call>'];
/** What an answer begins with that has to call a tool, of which the model chooses the name. */
const FORCED = `${CALL[0]}{"name": "`;

// Threads wait for each other in a loop: beside other work, two of them are four times slower than one.
const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1, logLevel: 'error' });
const model = await llama.loadModel({ modelPath: join(folder, 'SmolLM2-135M-Instruct.Q4_1.gguf') });
const sequence = (await model.createContext({ contextSize: WINDOW })).getSequence();

/** The model's own template drops tools, so they are part of the first message. */
function promptOf({ messages, tools = [] }) {
  const listed = tools.map((tool) => JSON.stringify(tool.function)).join('\n');
  const call = `${CALL[0]}{"name": "…", "arguments": {…}}\n${CALL[1]}`;
  const told = listed === '' ? '' : `You may call a function like this:\n${call}\nThe functions are\n${listed}`;
  const all = told === '' ? messages : [{ role: 'system', content: told }, ...messages];
  return `${all.map((message) => `<|im_start|>${textOf(message)}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;
}

function textOf({ role, content, tool_calls: calls = [] }) {
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('\n') : (content ?? '');
  const called = calls.map(
    ({ function: { name, arguments: given } }) => `${CALL[0]}{"name": "${name}", "arguments": ${given}}\n${CALL[1]}`,
  );
  return [role === 'tool' ? 'user' : role, text, ...called].join('\n');
}

/** Yields the answer in pieces. */
async function* answer(tokens, { max, stops, grammar, number, signal, count }) {
  // Without the beginning that two requests share, which is faster: the answers to the second one were often empty.
  await sequence.clearHistory();
  const options = { temperature: 0.8, seed: randomOf(number) };
  if (grammar) options.grammarEvaluationState = new LlamaGrammarEvaluationState({ model, grammar });
  const written = [];
  let sent = '';
  for await (const token of sequence.evaluate(tokens, options)) {
    if (signal.aborted) return;
    if (model.isEogToken(token)) break;
    written.push(token);
    count(written.length);
    const text = model.detokenize(written);
    const end = Math.min(...stops.map((stop) => text.indexOf(stop)).filter((at) => at !== -1), text.length);
    // The bytes of a character may be in two tokens.
    if (!text.endsWith('\uFFFD') && end > sent.length) yield text.slice(sent.length, end);
    sent = text.endsWith('\uFFFD') ? sent : text.slice(0, Math.max(end, sent.length));
    if (end < text.length) return;
    if (written.length >= max) return 'length';
  }
}

/**
 * How an answer begins, and which schema the model is held to. Left alone it hardly ever calls a tool, or answers in a
 * form that is asked for. So a third of the answers with tools begin as a call, and another third are held to the schema
 * of one tool, as servers force calls. `prefill` of a request has beginnings of texts, of which one is taken.
 */
function guided({ response_format: format, tools = [], tool_choice: choice, prefill = [] }, number) {
  const schema = format?.json_schema?.schema;
  if (schema) return { begin: '', schema };
  const random = randomOf(number);
  if (tools.length === 0 || choice === 'none') return { begin: prefill[random % prefill.length] ?? '' };
  if (random % 3 === 0) return { begin: '' };
  if (random % 3 === 1) return { begin: FORCED, isForced: true };
  const { name, parameters } = tools[Math.floor(random / 3) % tools.length].function;
  return { begin: `${FORCED}${name}", "arguments": `, schema: parameters, isForced: true };
}

/** The same number for the same seed and request. */
function randomOf(number) {
  return createHash('sha256').update(`${seed} ${number}`).digest().readUInt32LE();
}

/** What follows {@link FORCED} in an answer, as a call. Its arguments may be anything. */
function callIn(text) {
  const [, name, given] = /^([^"]*)"(?:,\s*"arguments":\s*([\s\S]*))?/.exec(text) ?? [];
  if (!name) return undefined;
  return { name, arguments: (given ?? '{}').trim() };
}

let requests = 0;
/** One answer is written after the other. */
let turn = Promise.resolve();

async function chat(body, response, signal) {
  const number = requests++;
  const chunk = (delta, finish = null) =>
    void response.write(
      `data: ${JSON.stringify({ id: `weak-${number}`, object: 'chat.completion.chunk', created: 0, model: body.model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const { begin, schema, isForced = false } = guided(body, number);
  const grammar = schema && (await llama.createGrammarForJsonSchema(schema));
  const tokens = model.tokenize(promptOf(body) + begin, true);
  const max = Math.min(body.max_completion_tokens ?? body.max_tokens ?? MAX_TOKENS, MAX_TOKENS);
  if (tokens.length + max > WINDOW) {
    response.writeHead(400, { 'content-type': 'application/json' });
    const message = `This model's window is ${WINDOW} tokens, and the request has ${tokens.length}.`;
    response.end(
      JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let completion = 0;
  const stops = [...[body.stop ?? []].flat(), ...(isForced ? [CALL[1]] : [])];
  const count = (n) => {
    completion = n;
  };
  const pieces = answer(tokens, { max, stops, grammar, number, signal, count });
  let text = isForced ? begin.slice(FORCED.length) : begin;
  if (!isForced && begin !== '') chunk({ content: begin });
  let piece = await pieces.next();
  for (; !piece.done; piece = await pieces.next()) {
    text += piece.value;
    if (!isForced) chunk({ content: piece.value });
  }
  const call = isForced ? callIn(text) : undefined;
  if (call) chunk({ tool_calls: [{ index: 0, id: `call_${number}`, type: 'function', function: call }] });
  else if (isForced) chunk({ content: text });
  chunk({}, piece.value ?? (call ? 'tool_calls' : 'stop'));
  const usage = { prompt_tokens: tokens.length, completion_tokens: completion };
  const total = { ...usage, total_tokens: tokens.length + completion };
  response.write(
    `data: ${JSON.stringify({ id: `weak-${number}`, object: 'chat.completion.chunk', created: 0, model: body.model, choices: [], usage: total })}\n\n`,
  );
  response.end('data: [DONE]\n\n');
}

const server = createServer(async (request, response) => {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  let json = '';
  for await (const part of request) json += part;
  const mine = turn.then(() => (gone.signal.aborted ? undefined : chat(JSON.parse(json), response, gone.signal)));
  turn = mine.catch((error) => {
    if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: String(error), type: 'invalid_request_error' } }));
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
