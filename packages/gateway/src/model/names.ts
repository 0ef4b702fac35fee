/** Whether two names are of one model: a dated name, a revision and an alias mean the model they begin with. */
export function isSameModel(one: string, other: string): boolean {
  return one === other || familyOf(one) === familyOf(other);
}

/** A model's name without the maker that routers and Google's own API put in front of it. */
export function withoutMaker(name: string): string {
  return name.replace(MAKER, '');
}

const MAKER = /^(?:openai|anthropic|google|gemini|models|x-ai|deepseek|mistralai|moonshotai)\//;

// As providers write them: -20250929, @20250929, -2025-08-07, -preview, -preview-05-06, -preview-09-2025, -exp, -001, -latest.
const EDITION =
  /(?:[-@]20\d{6}|-20\d\d-\d\d-\d\d|-(?:preview|exp)(?:-\d\d-(?:\d\d|20\d\d))?|-\d{3}|-latest|@(?:latest|default))$/;

const LONGEST_NAME = 200;

function familyOf(name: string): string {
  if (name.length > LONGEST_NAME) return name;
  const own = withoutMaker(name);
  const short = own.replace(EDITION, '');
  // A preview may have a revision too.
  return short === own ? own : familyOf(short);
}
