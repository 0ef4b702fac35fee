/** Whether a short text without sections is what a provider, a program or a gateway answers in place of a summary. */
export function isErrorText(words: string, text: string): boolean {
  if (MARKUP.test(text) || ERROR_TEXT.test(words)) return true;
  // Small letters: the pattern is made sooner.
  return words.length <= SENTENCES && !SECTION.test(text) && !ACCOUNT.test(words) && ANSWER.test(words.toLowerCase());
}

const SENTENCES = 500;
const SECTION = /^\s{0,8}(?:#{1,4} \S|[-*] \S|\d{1,2}\. \S)|<(?!state_)[a-z]+_[a-z_]+>/m;
// Who tells of an error says what came of it, or goes on behind it.
const ACCOUNT =
  /;|\b(?:because|user|assistant|(?:was|were|been|we|i|is now) (?:now |then |also )?(?:fix|resolv|rais|add|chang|implement|increas|lower|replac|merg|revert|trac|mend|rewrit|adjust|solv|handl|retri|deploy)\w*|next(?: steps?| is|[.:,])|remaining|todo|tests? (?:now )?pass|the (?:cause|fix|bug|reason) (?:was|is)|still (?:to do|open|fails?))\b/i;
const MARKUP = /^\s{0,9}(?:<!doctype html|<html|<\?xml|<error\b)/i;
// The shape of an error, not the word: a summary may well begin with "Error handling was added".
const ERROR_TEXT =
  /^\W{0,3}(?:(?:internal |api |server )*(?:error|exception)(?: code)?\s{0,3}["']?[:(]|internal server error|traceback \(|summary unavailable|failed to (?:generate|summari[sz]e|fetch|connect)|request timed out|rate limit (?:exceeded|reached)|(?:http )?[45]\d\d (?:too many|internal|bad|service|unauthorized|forbidden|not found|gateway)|service unavailable|bad gateway|gateway time-?out|overloaded|too many requests|context deadline exceeded|deadline exceeded|upstream (?:connect|request) |connection (?:reset|refused|closed|timed out)|request (?:was )?(?:aborted|cancell?ed)|fetch failed|socket hang up|e(?:connreset|connrefused|timedout|notfound)\b)/i;

// How providers and runners word it: money and limits, size, model, key, time, overload, filters, memory.
const ANSWER = /* @__PURE__ */ new RegExp(
  String.raw`^\W{0,3}(?:${[
    String.raw`(?:your|this|oauth|api) (?:credit|account|organi[sz]ation|api|balance|quota|subscription|plan|request|input|prompt|session|token|key)\b.{0,60}\b(?:too (?:low|long|large)|exceed|disabled|suspended|expired|invalid|deactivated|rejected|blocked|flagged|limit (?:reached|exceeded)|(?:hit|reached) (?:\w+ ){0,3}limit|not (?:active|authori|allowed)|insufficient|timed out)`,
    String.raw`you(?:['’]ve| have| do| don['’]t| are| must| need)?\b.{0,40}\b(?:quota|(?:usage|rate|token) limits?|limit for|api key|access to|logged in|log in|credits)\b`,
    String.raw`(?:the |your )?(?:input |request |total )?(?:prompt|input|request|context|payload|messages?|conversation|body)(?: \S+){0,4} (?:too (?:long|large|big)|exceeds?)\b`,
    String.raw`(?:(?:the|this|that) )?(?:requested )?model\b.{0,80}(?:maximum context|does not (?:exist|support)|not (?:found|available|supported)|deprecated|overloaded|unavailable|at capacity|loading|more system memory)`,
    String.raw`(?:incorrect|invalid|missing|no|expired) (?:\w+ )?(?:x-)?(?:api[ -]key|authentication|credentials|bearer)\b`,
    String.raw`(?:not authenticated|not logged in|unauthori[sz]ed|forbidden|(?:access|permission) ?denied|payment required|insufficient[ _](?:quota|balance|credits?|funds|memory))\s*(?:[.:,!(|]|$)`,
    String.raw`please (?:run \/|log ?in|sign in|authenticate|(?:set|provide|check) (?:an? |your )?(?:valid )?(?:\w{1,20}_)?(?:api|key|token|credential|plan|billing))`,
    '(?:(?:the|your|this|api|model|http|client|network) )*(?:request|operation|connection|response|call|stream) (?:has )?(?:failed(?=[.!]|$)|timed out|time-?out|(?:was |is |has been )?(?:blocked|rejected|aborted|filtered|flagged|interrupted|terminated))',
    String.raw`(?:(?:the|this|our) )?(?:\w+ )?(?:service|server|engine|api|backend|endpoint|provider|system) (?:is|was|had|has|returned|responded)\b.{0,30}(?:unavailable|overloaded|at capacity|an? error|error|busy)`,
    '(?:an? )?(?:(?:unexpected|unknown|internal|server|network|connection|api|provider|upstream|streaming) )*(?:error|exception) (?:has )?occurred',
    '(?:(?:oops|uh oh)\\W{1,3})?(?:something went wrong|(?:unexpected|unknown|network|connection|streaming) error|provider returned error|no endpoints found|we(?:.re| are) (?:currently )?experiencing)',
    String.raw`(?:\w+ ){0,3}(?:(?:usage|rate|token|request|spend\w*|credit|message|context|session|weekly|daily|monthly|hourly|5-hour|tier)[ -](?:limit|length|window)s?|quota) (?:was |has been |is )?(?:reached|exceeded|hit)\b`,
    '(?:cuda |gpu |mps )?(?:error: )?out of memory',
    String.raw`(?:(?:this|the|your) )?(?:output|response|content|prompt|answer|completion)(?: \w+){0,3} (?:blocked|filtered|flagged|withheld)\b`,
    String.raw`[\w.]*(?:exhausted|not_found|exceeded|denied|unavailable|unauthenticated|overloaded|insufficient_quota|timeout|throttled|error|exception)\w{0,6}\s?[:|(]`,
  ].join('|')})`,
);
