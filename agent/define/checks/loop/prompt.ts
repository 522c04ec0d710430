import { SYSTEM_SECTIONS, TURN_SECTIONS, USER_INPUT } from '../../../prompt-sections/places';
import { milliseconds } from '../../../values/duration';
import type { AgentDefinition } from '../../agent-definition';
import type { PromptSection } from '../../settings/prompt-settings';
import { checkDuration, checkFields, checkRecord, fail, isRecord } from '../fail';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Many more would be a document, and each is part of the manifest that every call names. */
const MOST_SECTIONS = 50;
/** Longer than this, a section function would use up the time of the model call that it runs in. */
const LONGEST = 60_000;
const MOST_CHARS = 100_000;

/** Sections of the turn message that have a default text, which `true` sends. */
const OFF = ['toolSchemas', 'mcpSchemas', 'callingRules'];

type Sections = { readonly [name: string]: PromptSection<never> };

interface Kind {
  defaults: readonly string[];
  /** What `true` is for. */
  off: readonly string[];
}

/** Checks the sections of a prompt. */
export function checkSections({ prompt, instructions }: AgentDefinition, place: string): void {
  if (prompt === undefined) return;
  checkRecord(prompt, place);
  checkFields(prompt, ['system', 'turn', 'timeout', 'maxChars'], place);
  const { system, turn, timeout, maxChars } = prompt;
  checkEach(system, { defaults: SYSTEM_SECTIONS, off: [] }, `${place}.system`);
  checkEach(turn, { defaults: TURN_SECTIONS, off: OFF }, `${place}.turn`);
  if (instructions !== undefined && system?.instructions !== undefined)
    fail(`${place}.system.instructions`, 'It replaces `instructions`; keep one of them');
  if (turn?.[USER_INPUT] === null)
    fail(`${place}.turn.${USER_INPUT}`, 'The newest message cannot be removed; give a text to send in its place');
  checkDuration(timeout, `${place}.timeout`, '10s');
  if ((milliseconds(timeout) ?? 0) > LONGEST) fail(`${place}.timeout`, `Expected at most ${LONGEST / 1000} s`);
  if (maxChars !== undefined && !(Number.isSafeInteger(maxChars) && maxChars > 0 && maxChars <= MOST_CHARS))
    fail(`${place}.maxChars`, `Expected a whole number from 1 to ${MOST_CHARS}, got \`${String(maxChars)}\``);
}

function checkEach(sections: Sections | undefined, kind: Kind, place: string): void {
  checkRecord(sections, place);
  if (sections === undefined) return;
  const names = Object.keys(sections);
  if (names.length > MOST_SECTIONS) fail(place, `Expected at most ${MOST_SECTIONS} sections, got ${names.length}`);
  const known = new Set<string>(kind.defaults);
  for (const [name, section] of Object.entries(sections)) {
    checkSection({ name, section, known }, kind, `${place}.${name}`);
    known.add(name);
  }
}

function checkSection(
  { name, section, known }: { name: string; section: unknown; known: ReadonlySet<string> },
  { defaults, off }: Kind,
  place: string,
): void {
  if (!NAME.test(name)) fail(place, 'A section is named with letters, digits, `_` and `-`, a letter first');
  const isDefault = defaults.includes(name);
  if (section === null && !isDefault)
    fail(place, `There is no default section of this name; known are ${list(defaults)}`);
  if (section === true && !off.includes(name))
    fail(place, off.length === 0 ? EXPECTED : `Only ${list(off)} are off by default; give a text or a function`);
  if (section === null || section === true || isSectionText(section)) return;
  if (!isRecord(section)) fail(place, EXPECTED);
  checkFields(section, ['text', 'before', 'after'], place);
  const { text, before, after } = section as { [field: string]: unknown };
  if (!isSectionText(text)) fail(`${place}.text`, 'Expected a text or a function');
  if (isDefault && (before ?? after) !== undefined)
    fail(place, 'A default section stays in its place; remove `before` and `after`');
  if (before !== undefined && after !== undefined) fail(place, 'Expected `before` or `after`, not both');
  for (const [field, other] of Object.entries({ before, after })) {
    if (other === undefined || known.has(String(other))) continue;
    fail(
      `${place}.${field}`,
      `Expected a section that is defined above it, or one of ${list(defaults)}, got \`${String(other)}\``,
    );
  }
}

const EXPECTED = 'Expected a text, a function, `null`, or an object with `text`';

function isSectionText(given: unknown): boolean {
  return typeof given === 'string' || typeof given === 'function';
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
