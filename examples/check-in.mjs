// Asks what a conversation is about before it is compacted. Whoever is asked here takes the first goal.
import { readFileSync } from 'node:fs';
import { compact, presets, preview } from 'epitome';
import { CHECK_IN_DEFAULTS, checkIn, resultLines, resultOf } from 'epitome/goals';

const messages = JSON.parse(readFileSync(new URL('sessions/reminders.json', import.meta.url), 'utf8'));
const window = 6000;
const conversation = { format: 'openai-chat', messages, policy: presets.deliberate({ window }) };

const { decision } = preview(conversation);
const done = await checkIn(
  { ...conversation, decision, window, settings: CHECK_IN_DEFAULTS, asked: { kind: 'user' } },
  // `model` names goals where there is one; without it they come from prompts and todos.
  { prompt: async ({ goals: [goal] }) => ({ kind: 'goal', goal, by: 'listed' }) },
);
const { goal, cause } = done.course;
const outcome = await compact({ ...conversation, cause, goal });
console.log(resultLines(resultOf(outcome, done.course)).join('\n'));
