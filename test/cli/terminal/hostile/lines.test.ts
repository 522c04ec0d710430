import { visible } from '../../../../agent/values/visible';
import { ChatStream } from '../../../../cli/chat/stream';
import { devScreen } from '../../../../cli/lines/dev-lines';
import { DeltaLines } from '../../../../cli/lines/stream/delta-lines';
import { ChatStyle } from '../../../../cli/terminal/style';
import { say } from '../../../../runtime/print';
import { said } from '../../said';
import { expectPlain, NAME } from './texts';

test('the worker and server lines of `holdfast dev` are plain', async () => {
  const { out } = await said(async () => {
    const entry = JSON.stringify({ level: 'warn', msg: NAME, [NAME]: NAME });
    for (const type of ['worker.log', 'server.log'] as const)
      for (const line of [entry, NAME]) say(...devScreen()({ type, line }));
    return 0;
  });
  expect(out.split('\n')).toHaveLength(5);
  expectPlain(out);
});

test('a control sequence that is split over two deltas has no effect', () => {
  const pieces = ['a\x1b', '[2Jb\r', '\nc\udb40', '\udc41d\x1b]52;c', ';x\x07e\u009b', '31mf\n'];
  const lines: string[] = [];
  const deltas = new DeltaLines((kind, line) => lines.push(`${kind} ${visible(line)}`));
  const stream = new ChatStream();
  const style = new ChatStyle(false);
  for (const text of pieces) {
    deltas.note({ type: 'stream.text', text } as never);
    stream.text(text);
    lines.push(...style.preview(stream.live ?? { tone: 'text', text: '' }, 80).map((row) => row.text));
  }
  expectPlain(lines.join('\n'));
  expect(lines.join('\n')).toContain('‹U+E0041›');
});
