import { compact } from 'epitome';

// A conversation in the OpenAI format that has outgrown its window of 6,000 tokens.
const messages = [{ role: 'system', content: 'You help with a web shop.' }];
for (let day = 1; day <= 30; day += 1) {
  messages.push({ role: 'user', content: `What sold on day ${day}?` });
  messages.push({
    role: 'assistant',
    tool_calls: [{ id: `q${day}`, type: 'function', function: { name: 'sales', arguments: `{"day":${day}}` } }],
  });
  messages.push({
    role: 'tool',
    tool_call_id: `q${day}`,
    content: `order,item,price\n${`${day}01,desk lamp,39.90\n`.repeat(12)}`,
  });
  messages.push({ role: 'assistant', content: `Day ${day}: twelve desk lamps at 39.90 each.` });
}
messages.push({ role: 'user', content: 'Which item sold best?' });

const outcome = await compact({ format: 'openai-chat', messages, window: 6_000 });

console.log(outcome.status, outcome.tokens.before, '→', outcome.tokens.after, 'tokens');
console.log(messages.length, '→', outcome.messages.length, 'messages, the newest:', outcome.messages.at(-1).content);
console.log(outcome.record.covers.length, 'messages are summarized; undo is one more record.');
