import { upgrade } from './upgrade';

async function main(): Promise<void> {
  const count = 50;
  const { sent, answered, lost } = await upgrade(count, (line) => console.log(line));
  console.log(`${count} conversations, ${sent} messages, ${answered} answers, ${lost} lost.`);
}

void main();
