const SIZE = 10_000_000;
const of =
  (word: string, begin = '') =>
  () =>
    (begin + word.repeat(Math.ceil(SIZE / word.length))).slice(0, SIZE);

/** Answers of 10 MB. A reader whose time is not linear would need hours for them. */
export const HEAVY: readonly [name: string, answer: () => string][] = [
  ['beginnings of tags', of('<')],
  ['beginnings of calls', of('<tool')],
  ['tags with long attributes', of(`<tool ${'a'.repeat(90)}`)],
  ['fences', of('`')],
  ['lines of fences', of('```\n')],
  ['code', of('`<tool>` ')],
  ['thinking without an end', of('</thinking', '<thinking>')],
  ['a call in JSON without an end', of('{"a":"', '<tool>{"server_name":"local","tool_name":"look_up","arguments":')],
  ['a text in JSON without an end', of('</tool>', '<tool>{"')],
  ['end tags in texts that end', of('</tool>"', '<tool>{"')],
  ['a call in XML without an end', of('<a>', '<tool><arguments>')],
  ['elements that never end', of('<a', '<tool><arguments><')],
  ['ends of other elements', of('</a>', '<tool><arguments>')],
  ['entities', of('&amp', '<tool><arguments>{')],
  ['CDATA without an end', of(']]', '<tool><arguments><![CDATA[')],
  ['a name without an end', of('a', '<tool><server_name>')],
];
