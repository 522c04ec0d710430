import type { AgentDefinition } from '../../agent-definition';
import { checkFields, checkRecord, fail, isText } from '../fail';

const FIELDS = ['strategy', 'threshold', 'keep', 'summaryTokens', 'model', 'reserve', 'wrapUp'];
const STRATEGIES = ['trim', 'summarise', 'tool-results'];
type Bounds = { readonly [name: string]: readonly [least: number, most: number] };
/** Any window. */
const MOST = 100_000_000;
/** A summary is part of the state that a run carries on, and of every call. */
const SIZES: Bounds = { threshold: [0, MOST], keep: [1, 10_000], summaryTokens: [50, 4000], wrapUp: [0, MOST] };
const RESERVES: Bounds = { output: [1, MOST], safety: [0, MOST] };

/** Checks how an agent uses the context window. */
export function checkContext({ context, modelClass }: AgentDefinition, place: string): void {
  if (modelClass !== undefined && modelClass !== 'small') {
    fail(`${place}.modelClass`, `Expected \`small\`, or nothing, got \`${String(modelClass)}\``);
  }
  if (context === undefined) return;
  const at = `${place}.context`;
  checkRecord(context, at);
  checkFields(context, FIELDS, at);
  const { strategy, model, reserve } = context;
  if (strategy !== undefined && typeof strategy !== 'function' && !STRATEGIES.includes(strategy)) {
    const names = STRATEGIES.map((name) => `\`${name}\``).join(', ');
    fail(`${at}.strategy`, `Expected ${names} or a function, got \`${String(strategy)}\``);
  }
  if (model !== undefined && !isText(model)) fail(`${at}.model`, 'Expected the alias of a model');
  if (model !== undefined && (typeof strategy === 'function' || strategy === 'tool-results')) {
    fail(`${at}.model`, 'No model writes summaries with this `strategy`; remove one of them');
  }
  checkSizes(context, SIZES, at);
  checkRecord(reserve, `${at}.reserve`);
  if (reserve === undefined) return;
  checkFields(reserve, Object.keys(RESERVES), `${at}.reserve`);
  checkSizes(reserve, RESERVES, `${at}.reserve`);
}

function checkSizes(given: object, sizes: Bounds, place: string): void {
  const values: { readonly [name: string]: unknown } = { ...given };
  for (const [name, [least, most]] of Object.entries(sizes)) {
    const value = values[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)) {
      fail(`${place}.${name}`, `Expected a whole number from ${least} to ${most}, got \`${String(value)}\``);
    }
  }
}
