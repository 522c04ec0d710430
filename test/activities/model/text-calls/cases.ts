import type { JsonObject } from '../../../../agent/values/json';

/** What an answer says, and what comes of it. Missing fields: there is none. */
export interface Case {
  what: string;
  answer: string;
  text?: string;
  thinking?: string;
  /** The model's name of the tool, and the arguments. */
  call?: [name: string, input: JsonObject];
  error?: 'ParseError' | 'MissingFieldError' | 'ToolNotFound';
  /** A part of what the model reads about the error. */
  told?: string;
}

const LOOK = '{"server_name": "local", "tool_name": "look_up", "arguments": {"q": "tea"}}';
type Call = NonNullable<Case['call']>;
const looked: Call = ['look_up', { q: 'tea' }];
const look = (q: string): Call => ['look_up', { q }];
const json = (args: string) => `<tool>{"server_name": "local", "tool_name": "look_up", "arguments": ${args}}</tool>`;
const xml = (args: string) =>
  `<tool><server_name>local</server_name><tool_name>look_up</tool_name><arguments>${args}</arguments></tool>`;

export const CALLS: Case[] = [
  { what: 'a call', answer: `<tool>${LOOK}</tool>`, call: looked },
  { what: 'text before a call', answer: `I look.\n<tool>${LOOK}</tool>`, text: 'I look.\n', call: looked },
  { what: 'white space in the tags', answer: `<tool>\n  ${LOOK}\n</tool>\n`, call: looked },
  { what: 'two calls', answer: `<tool>${LOOK}</tool>\n<tool>${LOOK.replace('tea', 'rum')}</tool>`, call: looked },
  { what: 'an invented result', answer: `<tool>${LOOK}</tool>\nResult: 3`, call: looked },
  { what: 'attributes', answer: `<tool id="1">${LOOK}</tool>`, call: looked },
  {
    what: 'fields in another order',
    answer: '<tool>{"arguments":{"q":"tea"},"tool_name":"look_up","server_name":"local"}</tool>',
    call: looked,
  },
  { what: 'arguments that are JSON in JSON', answer: json('"{\\"q\\": \\"tea\\"}"'), call: looked },
  {
    what: 'no arguments',
    answer: '<tool>{"server_name":"files","tool_name":"read_file"}</tool>',
    call: ['files_read_file', {}],
  },
  {
    what: 'an MCP server',
    answer: '<tool>{"server_name":"files","tool_name":"read_file","arguments":{"path":"a"}}</tool>',
    call: ['files_read_file', { path: 'a' }],
  },
  {
    what: 'the whole name of a tool of an MCP server',
    answer: '<tool>{"server_name":"files","tool_name":"files.read_file","arguments":{"path":"a"}}</tool>',
    call: ['files_read_file', { path: 'a' }],
  },
  {
    what: 'the dotted name of a tool',
    answer: '<tool>{"server_name":"local","tool_name":"look.up","arguments":{"q":"tea"}}</tool>',
    call: looked,
  },
  { what: 'an end tag in a text', answer: json('{"q": "a </tool> b"}'), call: look('a </tool> b') },
  { what: 'escaped quotes', answer: json('{"q": "a \\"</tool>\\" b"}'), call: look('a "</tool>" b') },
  { what: 'braces in a text', answer: json('{"q": "}{"}'), call: look('}{') },
  { what: 'escapes in a name', answer: `<tool>${LOOK.replace('look_up', 'look\\u005fup')}</tool>`, call: looked },
  { what: 'a trailing comma', answer: json('{"q": "tea",}'), call: looked },
  { what: 'single quotes', answer: `<tool>${LOOK.replaceAll('"', "'")}</tool>`, call: looked },
  { what: 'a brace too few', answer: `<tool>${LOOK.slice(0, -1)}</tool>`, call: looked },
  { what: 'a brace too many', answer: `<tool>${LOOK}}</tool>`, call: looked },
  { what: 'a code block within the tags', answer: `<tool>\n\`\`\`json\n${LOOK}\n\`\`\`\n</tool>`, call: looked },
  { what: 'a whole call without an end tag', answer: `<tool>${LOOK}`, call: looked },
  { what: 'XML', answer: xml('{"q": "tea"}'), call: looked },
  { what: 'XML with white space', answer: xml('\n  {"q": "tea"}\n').replaceAll('><', '>\n  <'), call: looked },
  { what: 'XML with attributes', answer: xml('{"q": "tea"}').replaceAll('_name>', '_name>'), call: looked },
  { what: 'XML with elements', answer: xml('<q>tea</q>'), call: looked },
  { what: 'XML with elements and attributes', answer: xml('<q type="text">tea</q>'), call: looked },
  {
    what: 'entities in JSON',
    answer: xml('{&quot;q&quot;: "a &lt;b&gt; &amp; &#99; &#x64;"}'),
    call: look('a <b> & c d'),
  },
  { what: 'entities in elements', answer: xml('<q>a &lt; b &amp;amp; c</q>'), call: look('a < b &amp; c') },
  {
    what: 'unknown entities',
    answer: xml('{"q": "&nbsp; &#0; &#xD800; &bogus"}'),
    call: look('&nbsp; &#0; &#xD800; &bogus'),
  },
  { what: 'a stray &', answer: xml('{"q": "a & b && c&"}'), call: look('a & b && c&') },
  { what: 'a stray & in elements', answer: xml('<q>a & b</q>'), call: look('a & b') },
  { what: 'a stray <', answer: xml('<q>1 < 2</q>'), call: look('1 < 2') },
  { what: 'tags in JSON', answer: xml('{"q": "<b>tea</b> <br/> </i>"}'), call: look('<b>tea</b> <br/> </i>') },
  { what: 'CDATA', answer: xml('<![CDATA[{"q": "a & </tool> ]] b"}]]>'), call: look('a & </tool> ]] b') },
  { what: 'CDATA in elements', answer: xml('<q><![CDATA[<b>&amp;</b>]]></q>'), call: look('<b>&amp;</b>') },
  {
    what: 'CDATA around a name',
    answer: xml('<q>tea</q>').replace('>local<', '><![CDATA[local]]><'),
    call: looked,
  },
  {
    what: 'nested and repeated elements',
    answer: xml('<q>tea</q><at><x>1</x><x>2</x></at><none/>'),
    call: ['look_up', { q: 'tea', at: { x: ['1', '2'] }, none: '' }],
  },
  {
    what: 'other elements',
    answer: xml('<q>tea</q>').replace('<tool_name>', '<why>so</why><tool_name>'),
    call: looked,
  },
  { what: 'a whole call in XML without an end tag', answer: xml('<q>tea</q>').replace('</tool>', ''), call: looked },
  {
    what: 'thinking before a call',
    answer: `<thinking>\nI need tea.\n</thinking>\n\n<tool>${LOOK}</tool>`,
    thinking: 'I need tea.\n',
    call: looked,
  },
  {
    what: 'thinking after a text',
    answer: `Well.\n<thinking>Tea?</thinking>\nYes.\n<tool>${LOOK}</tool>`,
    text: 'Well.\nYes.\n',
    thinking: 'Tea?',
    call: looked,
  },
  {
    what: 'the other tag of thinking',
    answer: `<think>Tea?</think><tool>${LOOK}</tool>`,
    thinking: 'Tea?',
    call: looked,
  },
  {
    what: 'a call after a code block',
    answer: `\`\`\`\n<tool>x</tool>\n\`\`\`\n<tool>${LOOK}</tool>`,
    text: '```\n<tool>x</tool>\n```\n',
    call: looked,
  },
];

const kept = (what: string, answer: string): Case => ({ what, answer, text: answer });

export const NO_CALLS: Case[] = [
  kept('a text', 'Tea is a drink.'),
  kept('a call in a code block', `So:\n\`\`\`json\n<tool>${LOOK}</tool>\n\`\`\`\nDone.`),
  kept('a call in a code block of tildes', `~~~\n<tool>${LOOK}</tool>\n~~~`),
  kept('a call in a longer code block', `\`\`\`\`\n\`\`\`\n<tool>${LOOK}</tool>\n\`\`\`\``),
  kept('a call in a code block without an end', `\`\`\`\n<tool>${LOOK}</tool>`),
  kept('a call in an indented code block', `-\n   \`\`\`\n<tool>${LOOK}</tool>\n   \`\`\``),
  kept('a tag in code', 'Write `<tool>` to call.'),
  kept('thinking in a code block', '```\n<thinking>x</thinking>\n```'),
  kept('other tags', '<tools>x</tools> <tool/> <toolbox> <tool'),
  kept('an end tag', 'x </tool> y'),
  kept('comparisons', 'a < b <t and <tool- x'),
  {
    what: 'a call while thinking',
    answer: `<thinking><tool>${LOOK}</tool></thinking>No.`,
    thinking: `<tool>${LOOK}</tool>`,
    text: 'No.',
  },
  { what: 'only thinking', answer: '<thinking>Hm.</thinking>\n', thinking: 'Hm.' },
  {
    what: 'thinking without an end',
    answer: `<thinking>Hm. <tool>${LOOK}</tool>`,
    thinking: `Hm. <tool>${LOOK}</tool>`,
  },
];

/** Broken calls stay in the text as they were written. */
const broken = (what: string, answer: string, error: Case['error'], told: string): Case => ({
  what,
  answer,
  text: answer,
  ...(error === undefined ? {} : { error }),
  told,
});

export const BROKEN: Case[] = [
  broken('no JSON', '<tool>look up tea</tool>', 'ParseError', 'not valid JSON: look up tea'),
  broken('nothing', '<tool></tool>', 'ParseError', 'not valid JSON'),
  broken('a list', '<tool>[1, 2]</tool>', 'ParseError', 'not valid JSON'),
  broken('arguments that are a list', json('[1]'), 'ParseError', 'not a JSON object'),
  broken('arguments that are a text', json('"tea"'), 'ParseError', 'not a JSON object'),
  broken('an element without an end', xml('<q>tea'), 'ParseError', '<q> has no end'),
  broken('elements that overlap', xml('<a><b></a></b>'), 'ParseError', '</a> does not end <b>'),
  broken('an end without a beginning', xml('<q>tea</q></a>'), 'ParseError', '</a> ends nothing'),
  broken(
    'no server',
    '<tool>{"tool_name": "look_up", "arguments": {}}</tool>',
    'MissingFieldError',
    '`server_name`. `server_name` is one of: local, files.',
  ),
  broken(
    'no tool',
    '<tool>{"server_name": "local", "arguments": {}}</tool>',
    'MissingFieldError',
    'It has no `tool_name`.',
  ),
  broken('no fields', '<tool>{}</tool>', 'MissingFieldError', '`server_name` and no `tool_name`'),
  broken(
    'an empty name',
    '<tool>{"server_name": "local", "tool_name": "", "arguments": {}}</tool>',
    'MissingFieldError',
    '`tool_name`',
  ),
  broken(
    'a name that is a number',
    '<tool>{"server_name": "local", "tool_name": 7, "arguments": {}}</tool>',
    'MissingFieldError',
    '`tool_name`',
  ),
  broken(
    'XML without a server',
    xml('{}').replace('<server_name>local</server_name>', ''),
    'MissingFieldError',
    '`server_name`',
  ),
  broken('XML with an empty tool', xml('{}').replace('look_up', ' '), 'MissingFieldError', '`tool_name`'),
];

/** Calls without an end are closed in what is kept. */
export const UNENDED: Case[] = [
  broken('JSON', `<tool>${LOOK.slice(0, -9)}`, 'ParseError', 'has no `</tool>`'),
  broken('JSON without arguments', '<tool>{"server_name": "lo', 'ParseError', 'has no `</tool>`'),
  broken('XML', xml('{"q": "te').replace('</arguments></tool>', ''), 'ParseError', 'has no `</tool>`'),
  broken('an opening tag', '<tool>', 'ParseError', 'has no `</tool>`'),
];

export const NOT_FOUND: Case[] = [
  {
    what: 'a tool that is similar to another',
    answer: '<tool>{"server_name": "local", "tool_name": "lookup", "arguments": {"q": "tea"}}</tool>',
    call: ['lookup', { q: 'tea' }],
    error: 'ToolNotFound',
    told: 'The server `local` has no tool named `lookup`. Similar tools: look_up',
  },
  {
    what: 'a tool of another server',
    answer: '<tool>{"server_name": "local", "tool_name": "read_file", "arguments": {}}</tool>',
    call: ['read_file', {}],
    error: 'ToolNotFound',
    told: 'The server `files` has a tool named `read_file`.',
  },
  {
    what: 'a server that is similar to another',
    answer: '<tool>{"server_name": "file", "tool_name": "write", "arguments": {}}</tool>',
    call: ['file.write', {}],
    error: 'ToolNotFound',
    told: 'There is no server named `file`. Similar servers: files',
  },
  {
    what: 'a tool like nothing else, in XML',
    answer: xml('<q>tea</q>').replace('look_up', 'sing'),
    call: ['sing', { q: 'tea' }],
    error: 'ToolNotFound',
    told: 'Known tools: look_up, task_completion',
  },
];
