import { stepsOf } from '../facts/shell.ts';
import type { Group } from './drafts.ts';
import { COMMITS } from './labels.ts';
import type { Candidate } from './select.ts';
import { type Unit, unitOf } from './units.ts';

/** True for a command that others see the effect of: a commit, a push, a pull request, a release, a deployment. */
export function actsOutside(command: string): boolean {
  if (!HINT.test(command)) return false;
  return stepsOf(command).some((step) => {
    const own = step.trim().replace(PREFIX, '');
    return OUTSIDE.test(own) && !HARMLESS.test(own);
  });
}

const HINT =
  /\b(?:git|gh|glab|hub|publish|upload|push|kubectl|helm|terraform|pulumi|deploy|release|apply|POST|PUT|PATCH|DELETE)\b/;
const PREFIX = /^(?:(?:[A-Za-z_]\w*=\S*|sudo|time|command|rtk|npx|timeout \S+) )+/;
const OUTSIDE = new RegExp(
  [
    String.raw`^git (?:-C \S+ )?(?:commit|push|merge|revert|cherry-pick|tag (?:-[asmf]+ )?v?\d)(?![\w-])`,
    String.raw`^(?:gh|glab|hub) \w+ (?:create|merge|close|reopen|comment|edit|review|run|delete|ready|upload)\b`,
    String.raw`^(?:gh api|curl|wget|http)\b.{0,400} (?:-X|--method|--request)[ =]?(?:POST|PUT|PATCH|DELETE)\b`,
    String.raw`^(?:npm|pnpm|yarn|bun|cargo|poetry|gem|uv|hatch|flit|vsce|ovsx|twine|docker|podman) (?:\w+ )?(?:publish|upload|push|release)\b`,
    String.raw`^(?:kubectl (?:apply|create|delete|scale|patch|rollout restart)|helm (?:install|upgrade|uninstall|rollback)|terraform (?:apply|destroy)|pulumi (?:up|destroy))\b`,
    String.raw`^(?:\S+ ){0,3}[\w./:-]*\bdeploy(?![\w./-]*\.(?:md|ya?ml|json|txt))\b`,
  ].join('|'),
);
// Tried only, on this machine only, or looked at.
const HARMLESS =
  /--dry-run|\blocalhost\b|127\.0\.0\.1|^git merge --abort|^(?:cat|ls|grep|rg|head|tail|less|vim?|cd|mkdir|cp|mv|rm|find|echo|sed|git (?:checkout|switch|branch|diff|log|add|show)) /;

/** True for a command that starts, stops, installs, removes or sets something that is no file of the work. */
export function actsOnSomething(command: string): boolean {
  // What is put away for a look at what was there comes back.
  if (/\bgit stash (?:pop|apply)\b/.test(command)) return false;
  return stepsOf(command).some((step) => {
    const own = step.trim().replace(PREFIX, '');
    return (ACTING.test(own) || PROGRAMS.test(own)) && !LOOKING.test(own);
  });
}

// `docker stop web`, `anyctl -n shop restart api`: the verb is the program's task, or the task of its part.
const ACTING =
  /^[\w./-]+(?: -{1,2}[\w-]+(?:=\S*)?| [\w.:@-]+){0,3} (?:start|stop|restart|reload|kill|rm|rmi|delete|remove|drop(?:[-_]\w+)?|create|install|uninstall|add|enable|disable|apply|up|down|upgrade|downgrade|update|migrate|reset|scale|set|del|flush\w*|truncate|purge|prune|reboot|rollback|restore|destroy|sync)(?![\w./:=-])/;
const PROGRAMS = new RegExp(
  [
    '^(?:kill|pkill|killall|reboot|shutdown|halt|useradd|userdel|usermod|groupadd|chown|chmod|mount|umount|iptables|ufw|dropdb|createdb|dropuser|createuser|scp|rsync|rmdir)(?= |$)',
    String.raw`^crontab (?!-l)|^ssh (?:-\S+ )*\S+ \S|^(?:npm|pnpm|yarn|bun) (?:i|ci)(?= |$)|^docker(?:-compose| compose)? run\b`,
    String.raw`^git (?:stash(?! (?:list|show))|reset|rebase|clean|pull|clone|init|tag [^-]\S*|branch -\w*[dDmM]|remote (?:add|remove|rm|set-url))(?= |$)`,
    String.raw`^(?:psql|mysql|mariadb|sqlite3|mongosh)\b.{0,200}\b(?:drop|delete|update|insert|create|alter|truncate|grant|revoke)\b`,
  ].join('|'),
  'i',
);

// Tests may be called so; what is staged or set back is told by the files.
const LOOKING =
  /--dry-run|--help|^(?:cat|ls|grep|rg|head|tail|less|vim?|cd|mkdir|cp|mv|find|echo|sed|which|man|type|git (?:add|restore|checkout|switch|log|diff|show|status)) |^(?:(?:npm|pnpm|yarn|bun|cargo|go|mix|make|python[\d.]*|uv) )?(?:-m |run )?(?:\w+:)?(?:tests?|pytest|jest|vitest|mocha|rspec|ctest|tox|lint|check|tsc|eslint|ruff|build)(?![\w./-])/;

/** What was started, stopped, installed or removed, the newest first: a line for each. */
export function actsOf(groups: readonly Group[]): readonly Candidate[] {
  return groups
    .filter(
      ({ section, header, failure, isLookup, isChange, isFamily }) =>
        section === 'recent_actions' &&
        failure !== 'open' &&
        failure !== 'stopped' &&
        !isLookup &&
        !isChange &&
        !isFamily &&
        header.text.startsWith('$ ') &&
        actsOnSomething(header.text.slice(2)),
    )
    .sort((left, right) => right.last - left.last)
    .map((group) => ({ group, unit: unitOf('', -1), most: SHOWN, bonus: 0, weight: 1 }));
}

/** What was done that others see, the newest first, each with the line that tells what came of it. */
export function deedsOf(groups: readonly Group[]): readonly Candidate[] {
  return groups
    .filter(({ section, isChange, failure }) => section === 'recent_actions' && isChange && failure !== 'open')
    .sort((left, right) => right.last - left.last)
    .flatMap((group) => {
      if (group.header.text === COMMITS)
        return group.units.toReversed().map((unit) => ({ group, unit, most: COMMITTED, bonus: 0, weight: 1 }));
      const pattern = group.header.text.startsWith('$ ') ? OUTCOME : ANSWER;
      const told = group.units.filter(({ text }) => pattern.test(text)).toReversed();
      const shown: readonly Unit[] = told.length > 0 ? told.slice(0, group.isFamily ? SHOWN : 1) : [unitOf('', -1)];
      return shown.map((unit) => ({ group, unit, most: SHOWN, bonus: 0, weight: 1 }));
    });
}

const SHOWN = 3;
const COMMITTED = 24;
// A commit's hash and subject, what was pushed where, an address of something made; fields of a tool's answer.
const OUTCOME = new RegExp(
  [
    String.raw`^\[[^\]\s]{1,200}(?: \([\w-]+\))? [0-9a-f]{7,40}\] `,
    String.raw`(?:^|\n)(?:[+*-] )?(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|\[(?:new \w+|deleted)\]) +\S`,
    String.raw`(?:^|\n)(?:\S{1,40} )?https?:\/\/\S+(?=\n|$)`,
    String.raw`^(?:\W{1,2} )?(?:merged|published|released|deployed|created|closed|\+ \S+@\d)\b`,
  ].join('|'),
  'i',
);
const ANSWER = /(?:^|\n)\w{0,40}(?:id|number|status|total|amount|url): \S/i;
