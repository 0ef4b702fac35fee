/** True for a sentence that demands or forbids something; what only tells how things are does not. */
export function isDemand(sentence: string): boolean {
  return DEMAND.test(sentence) && !NO_DEMAND.test(sentence);
}

// A question, a guess, a cheer.
const NO_DEMAND =
  /[?？]\s*$|\bmust(?: have|'ve| be so)\b|^\W*keep (?:it )?(?:up|going|on)\b|\bnever give up|\bno (?:problem|worries|doubt|idea|wonder)\b|\b(?:I|she|he)(?:'ll|'d| will| still| just)? ha(?:ve|s) to\b|\bhow (?:much|many|long)\b|^\W*use it \w+\W*$/i;
const DEMAND =
  /\b(?:must|has to|have to|may not|(?:is|are) not allowed|not allow|forbid|forbidden|no need to|required to)\b|(?:^\W*|[,;:.] |\b(?:and|but|please|also|so|then) )(?:never|always|don'?t|do not|make sure|ensure|avoid|stop \w+ing)\b|(?:^\W*|[,;:.] |\bplease )only\b|^\W*(?:no|use|keep|prefer|without|let'?s not|leave|remember|niemals|bitte niemals|ne jamais|nunca)\b|\b(?:niemals|nicht) .{0,80}!|, not \w+[.!]?$|\bn(?:e |['’])\S{1,30} (?:jamais|pas|rien)\b|\b(?:nunca|jamás|jamais|niemals|auf keinen fall|in nessun caso)\b|(?:^|\n)\W*(?:no|não|non|nicht) \S{2,20} (?:nunca|nada|mai)\b|不要|必须|必須|不得|绝对|絕對|禁止|不用|ないで|てはいけ|してはなら|하지 ?마|해서는 안/i;

/** How output begins that programs put into the user's mouth. */
export const OUTPUT: RegExp =
  /^(?:\[\w+ console\]\n?|observation: ?|execution result\b|\[tool (?:result|output)|tool (?:result|output):|output of |<function_results>|base directory for this skill:|\[file: )/i;
