import type { Violation } from '../../model/format.ts';
import type { Role } from '../../model/message.ts';
import { portabilityAt } from '../violations.ts';
import { roleOf } from './decode.ts';

const UNWELCOME: ReadonlySet<string> = new Set(['user user', 'assistant assistant', 'tool user', 'start assistant']);

/**
 * Rule O9: orders that OpenAI accepts and strict servers (Mistral, MiniMax, chat templates of local models) do not.
 * A list that ends with an assistant is at rest and no fault.
 */
export function orderViolations(natives: readonly unknown[]): readonly Violation[] {
  const found: Violation[] = [];
  let previous: Role | 'start' = 'start';
  natives.forEach((native, at) => {
    const role = roleOf(native);
    if (role === 'other') return;
    if (role === 'system') {
      if (previous !== 'start') found.push(portabilityAt(at, 'O9', 'system message inside the list'));
      return;
    }
    if (UNWELCOME.has(`${previous} ${role}`)) found.push(portabilityAt(at, 'O9', `${role} message after ${previous}`));
    previous = role;
  });
  return found;
}
