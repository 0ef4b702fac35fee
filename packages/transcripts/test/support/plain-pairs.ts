// Whether calls and results belong together in a list of native messages, by nothing but loops: the validators of the
// library are checked against it, so it shares no code with them.

type Json = { readonly [key: string]: unknown };
type Step = { readonly role: string; readonly calls: readonly string[]; readonly results: readonly string[] };

/** What is wrong with the pairs, roles or ids of a list; empty where nothing is. */
export function plainFaults(format: string, natives: readonly unknown[]): readonly string[] {
  const faults: string[] = [];
  const steps = natives.map((native) => stepOf(format, native as Json));
  let pending: string[] = [];
  steps.forEach(({ role, calls, results }, at) => {
    if (!(ROLES[format] ?? []).includes(role)) faults.push(`${at}: role ${role}`);
    for (const id of results) {
      if (!pending.includes(id)) faults.push(`${at}: result ${id} without a call right in front of it`);
      // One of them: calls of Gemini are all alike.
      pending = pending.toSpliced(pending.indexOf(id), pending.includes(id) ? 1 : 0);
    }
    // Items of one answer stand side by side in the Responses API; elsewhere all results come before anything else.
    const isWaiting = results.length > 0 || (format === 'openai-responses' && role !== 'user');
    if (pending.length > 0 && !isWaiting) faults.push(`${at}: ${pending.join()} not answered`);
    if (new Set(calls).size < calls.length && format !== 'gemini') faults.push(`${at}: an id twice`);
    pending = [...(isWaiting ? pending : []), ...calls];
  });
  return pending.length > 0 ? [...faults, `${pending.join()} never answered`] : faults;
}

const ROLES: Readonly<Record<string, readonly string[]>> = {
  'openai-chat': ['system', 'developer', 'user', 'assistant', 'tool'],
  'openai-responses': ['system', 'developer', 'user', 'assistant', 'item'],
  anthropic: ['user', 'assistant'],
  gemini: ['user', 'model'],
  'ai-sdk': ['system', 'user', 'assistant', 'tool'],
};

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const idsOf = (blocks: Json[], type: string, key: string): string[] =>
  blocks.filter((block) => block['type'] === type).map((block) => String(block[key]));

function stepOf(format: string, native: Json): Step {
  const role = String(native['role'] ?? 'item');
  const blocks = list(native['content']);
  if (format === 'anthropic') {
    return { role, calls: idsOf(blocks, 'tool_use', 'id'), results: idsOf(blocks, 'tool_result', 'tool_use_id') };
  }
  if (format === 'ai-sdk') {
    const results = idsOf(blocks, 'tool-result', 'toolCallId');
    return { role, calls: idsOf(blocks, 'tool-call', 'toolCallId'), results };
  }
  if (format === 'gemini') {
    // This API pairs by position: as many responses as calls, whatever they are called.
    const places = (key: string): string[] => list(native['parts']).flatMap((part) => (key in part ? ['a call'] : []));
    return { role, calls: places('functionCall'), results: places('functionResponse') };
  }
  if (format === 'openai-chat') {
    const calls = list(native['tool_calls']).map((call) => String(call['id']));
    return { role, calls, results: role === 'tool' ? [String(native['tool_call_id'])] : [] };
  }
  const type = String(native['type']);
  const id = String(native['call_id']);
  return { role, calls: /_call$/.test(type) ? [id] : [], results: /_call_output$/.test(type) ? [id] : [] };
}
