import type { Losses, Session } from '@epitome/transcripts';
import type { Picked } from '../input/conversation.ts';
import { counted, plain } from './text.ts';

/** What a user should know about how a session was read. */
export function sessionNotes({ session, number, count }: Picked, losses: Losses): readonly string[] {
  const others = session.branches.length - 1;
  const title = [session.source, 'session', plain(session.id ?? ''), session.title ? `(${plain(session.title)})` : ''];
  return [
    title.filter((word) => word !== '').join(' '),
    ...(count > 1 ? [`${count} sessions in the file, number ${number} is taken; --session picks another`] : []),
    ...(others > 0
      ? [`${others} other ${others === 1 ? 'branch' : 'branches'}; --branch picks one, inspect lists them`]
      : []),
    ...repairNotes(losses),
    ...faultNotes(session),
  ];
}

/** What a session is, for programs. */
export function sessionData(session: Session): object {
  const { source, id, title, cwd, models, startedAt, branches, compactions, unknown, faultCount, faults } = session;
  return {
    source,
    id,
    title,
    cwd,
    models,
    startedAt,
    branches: branches.length,
    compactions: compactions.length,
    unknown,
    faultCount,
    faults,
  };
}

/** What was put right, in words. */
function repairNotes({ unanswered, orphans, moved }: Losses): readonly string[] {
  return [
    ...(unanswered > 0 ? [`${counted(unanswered, 'call')} without a result: one that says so was put in`] : []),
    ...(orphans > 0 ? [`${counted(orphans, 'result')} without a call: kept as text`] : []),
    ...(moved > 0 ? [`${counted(moved, 'result')} moved to the call`] : []),
  ];
}

/** What could not be read, in words; a few of many. */
export function faultNotes({ faults, faultCount, unknown }: Unread): readonly string[] {
  const shown = faults.slice(0, MOST).map(({ place, reason }) => `${place}: ${reason}; passed over`);
  const types = Object.entries(unknown).map(([type, count]) => `${plain(type)} ${count}`);
  return [
    ...shown,
    ...(faultCount > shown.length ? [`and ${faultCount - shown.length} more faults`] : []),
    ...(types.length > 0 ? [`records of unknown types, passed over: ${types.join(', ')}`] : []),
  ];
}

type Unread = Pick<Session, 'faults' | 'faultCount' | 'unknown'>;

const MOST = 5;
