import { call } from '../../kit/scripted-model';
import { DONE, type HostileInput } from './input';

/** The kinds of test/fixtures/mcp/hostile-server.mjs. */
const server = (name: string, does: string, told: RegExp, more: Partial<HostileInput> = {}): HostileInput => ({
  name,
  does,
  script: [call('s_do', {})],
  told: [told],
  end: { data: DONE },
  ...more,
});

const FINE = /^fine$/;
/** It is unknown whether the call took effect: a tool of unknown effect counts as `once`. */
const UNKNOWN = /^OutcomeUnknown: /;

const GIVEN_UP = /^OutcomeUnknown: .*it sent more than 25000 unsolicited messages/;

export const MCP_STDIO: readonly HostileInput[] = [
  server('garbage-lines', 'prints 20,000 lines that are not messages', FINE, { patient: true }),
  server('endless-line', 'prints an endless line', UNKNOWN),
  server('stderr-flood', 'prints 200 MB to its standard error', FINE, { patient: true }),
  server('deep-result', 'gives a result nested 4,300 deep', UNKNOWN, { quick: true }),
  server('abyss', 'gives a result nested 1,000,000 deep', UNKNOWN),
  server('huge-result', 'gives a result of 100 MB', UNKNOWN),
  server('many-values', 'gives a result of ten million values', UNKNOWN),
  server('progress-flood', 'reports progress 60,000 times', FINE, { patient: true }),
  server('exit', 'exits in the middle of a call', UNKNOWN, { quick: true }),
  server('two-answers', 'answers a call twice', FINE),
  server('wrong-id', 'answers a call that does not exist', UNKNOWN),
  server('escapes', 'gives escape sequences as its result', /^\p{Cc}\]52;c;ZXZpbA==\p{Cc}{2}2J\p{Cf}fine$/u),
  server('invalid-utf8', 'returns bytes that are not UTF-8', /^fi\ufffd+ne$/),
  server('request-flood', 'requests samples, roots and forms 20,000 times', FINE, { patient: true }),
  server('news-flood', 'reports 20,000 times that its tools have changed', FINE, { patient: true }),
  server('prototype', 'returns members of Object.prototype', FINE),
  server('garbage-for-ever', 'prints lines that are not messages, without limit', GIVEN_UP, { patient: true }),
  server('pings-for-ever', 'sends endless requests and reads the answers', GIVEN_UP, { patient: true }),
  server('deaf-asker', 'sends endless requests and reads no answer', UNKNOWN, { patient: true }),
  server('deaf', 'stops reading and does not end', UNKNOWN),
  {
    name: 'endless-pages',
    does: 'lists its tools in endless pages',
    script: [],
    end: { error: /^McpServerFailed: / },
  },
  {
    name: 'many-tools',
    does: 'lists 20,000 tools',
    script: [],
    end: { error: /^\w+: .*(tools|large|bytes)/i },
  },
];
