import { research } from './research';

async function main(): Promise<void> {
  const { data, messages, summaries, histories, cost } = await research((line) => console.log(line));
  console.log(JSON.stringify(data));
  console.log(`${messages} messages, ${summaries} summaries, ${histories} histories, ${cost} of 2 USD.`);
}

void main();
