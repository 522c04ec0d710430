import { call, fault, text } from '../../kit/scripted-model';
import { DONE, type TerminalInput } from './input';

/**
 * Clears, colours text invisible, writes to the clipboard, sets the window title, uses C1 controls, reverses, hides,
 * erases, overwrites, forges.
 */
export const EVIL =
  'pay\u001b[2J\u001b[8m\u001b]52;c;ZXZpbA==\u0007\u001b]0;evil\u001b\\\u009b2J\u202egnp\u2066\u200b\u200d\u{e0041}\u0008\u0008\u007f\rFORGED\u2028\u0085\u001bc';

/** What none of it may leave on a terminal: the CLI itself colours, moves and erases lines. */
export const STEERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters control terminals
  /\u001b\[[23]J|\u001b\[8m|\u001b\]|\u001bc|[\u0000-\u0006\u0007\u0008\u000b\u000c\u000e-\u001a\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2028\u2029\u{e0000}-\u{e007f}]/u;

const SCRIPT = [call('take', { item: EVIL, [EVIL]: EVIL }, { text: EVIL, reasoning: EVIL }), text(EVIL)];

const shown = (
  name: string,
  does: string,
  command: readonly string[],
  shows: RegExp,
  more: Partial<TerminalInput> = {},
): TerminalInput => ({
  name,
  does,
  script: SCRIPT,
  command,
  shows,
  told: [/./],
  end: { data: /./ },
  ...more,
});

export const TERMINAL: readonly TerminalInput[] = [
  shown('show', 'is shown with its transcript', ['show', 'RUN', '--full'], /FORGED/, { quick: true }),
  shown('tool', 'returns a result that is shown whole', ['show', 'RUN', '--tool', 't1.1'], /FORGED/),
  shown('json', 'is shown as JSON', ['show', 'RUN', '--json'], /FORGED/),
  shown('runs', 'is listed under an id with control characters', ['runs'], /FORGED/, { id: `hostile-${EVIL}` }),
  shown('tail', 'is followed', ['tail', 'RUN'], /FORGED/),
  shown('export', 'is exported', ['export', 'RUN'], /FORGED/),
  shown('inbox', 'waits in the inbox', ['inbox'], /pay/, {
    script: [call('pay', { item: EVIL })],
    waits: true,
    end: { data: DONE },
  }),
  shown('wait', 'is shown while it waits', ['show', 'RUN'], /FORGED/, {
    script: [call('pay', { item: EVIL })],
    waits: true,
    end: { data: DONE },
  }),
  shown('run', 'fails with an error text of its choice', ['run', 'hostile.guest', 'INPUT'], /FORGED/, {
    script: [fault({ kind: 'status', status: 400, message: EVIL })],
    told: [],
    end: { error: /./ },
  }),
  shown('missing', 'is requested by an id with control characters', ['show', '--run', `no${EVIL}`], /FORGED/),
];
