import type { Violation } from '../../model/format.ts';
import type { Role } from '../../model/message.ts';
import { portabilityAt } from '../violations.ts';
import { roleOf } from './decode.ts';

const UNWELCOME: ReadonlySet<string> = new Set(['user user', 'assistant assistant', 'tool user', 'start assistant']);

/**
 * Rule O9: orders that OpenAI accepts and strict servers (Mistral, MiniMax, chat templates of local models) do not.
 * A list that ends with an assistant is at rest and no fault.
 */
export function* orderViolations(natives: readonly unknown[]): Generator<Violation> {
  let previous: Role | 'start' = 'start';
  for (const [at, native] of natives.entries()) {
    const role = roleOf(native);
    if (role === 'other') continue;
    if (role === 'system') {
      if (previous !== 'start') yield portabilityAt(at, 'O9', 'system message inside the list');
      continue;
    }
    if (UNWELCOME.has(`${previous} ${role}`)) yield portabilityAt(at, 'O9', `${role} message after ${previous}`);
    previous = role;
  }
}
