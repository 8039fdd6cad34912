/** Words that are retired as names (docs/glossary.md), and what to write instead. */
const RETIRED = new Map<string, string>([
  ...retired('tell tells telling told', 'notify, fan out, broadcast'),
  ...retired('asked', 'request, context'),
  ...retired('given', 'input'),
  ...retired('held kept keeping', 'locked, cached, deferred, saved'),
  ...retired('said say', 'message, text, translate'),
  ...retired('noted', 'recorded'),
  ...retired('deed deeds', 'action'),
  ...retired('wish wishes', 'preferences'),
  ...retired('way ways', 'method, channel, path'),
  ...retired('entrance comers newcomers arriving', 'sign-in, new accounts'),
  ...retired('bell bells ringing', 'inbox'),
  ...retired('leaving readying outlet carrier carriers', 'outbound message, prepare, provider'),
  ...retired('receipt receipts', 'provider message id, delivery event'),
  ...retired('outcome outcomes', 'result'),
  ...retired('stopped stops', 'suppression'),
  ...retired('sentinel', 'delivery monitor'),
  ...retired('lane lanes', 'priority, concurrency'),
  ...retired('door doors', 'router'),
  ...retired('echo echoes echoed', 'duplicate'),
  ...retired('flood floods', 'burst'),
  ...retired('standing', 'publication state'),
  ...retired('outlook', 'reach'),
  ...retired('figures', 'statistics'),
  ...retired('trail', 'audit log'),
  ...retired('somebody whoever', 'user, recipient, caller'),
  ...retired('people', 'users, recipients'),
  ...retired('most', 'max'),
  ...retired('finished', 'response cache, done'),
  ...retired('typed posted', 'values, action data'),
])

/** Retired only in the pages, where they named what a form submission came to. */
const RETIRED_IN_PAGES = new Map(retired('failure refused', 'error'))
/** In pages it may be a note that is shown. */
const RETIRED_OUTSIDE_PAGES = new Map(retired('notice notices', 'announcement, inbox item'))

/** Retired in English texts that users read. */
export const RETIRED_IN_TEXTS = /\b(?:told|whoever|somebody|deeds?|wished|sentinel|lanes?|standing|outlook|figures)\b/i

/** Names with a retired word that stay, with the reason. */
const ALLOWED = new Map([
  ['asked_at', 'field of the API: log of questions'],
  ['asked', 'field of the API: counts of roll calls and of questions'],
  ['by_way', 'field of the API: report of failed sign-ins'],
  ['way', 'field of the API: sessions, report of failed sign-ins'],
  ['people', 'field of the API: search of administrators, counts of recipients'],
  ['figures', 'field of the API: log of questions'],
  ['floods', 'field of the API: calls for help'],
  ['given_name', 'claim of OpenID Connect'],
  ['finished_at', 'end of a run, in the plain sense'],
])

/** The same for keys of texts and CSS classes: values of the API, and words in the plain sense. */
const ALLOWED_KEYS = new Map([
  ['tile_asked', 'field of the API: counts of roll calls'],
  ['sign_asked', 'value of the API: review of accounts'],
  ['count_asked', 'value of the API: review of accounts'],
  ['result_asked', 'value of the API: review of accounts'],
  ['count_notices_to_approve', 'field of the API: overview'],
  ['notices', 'advisories of a country, in short'],
  ['notices_none', 'advisories of a country, in short'],
  ['notices_unknown', 'advisories of a country, in short'],
  ['notice_title', 'notification of the browser, in the plain sense'],
  ['notice_text', 'notification of the browser, in the plain sense'],
  ['field_asked', 'field of the audit log'],
  ['field_people', 'field of the audit log'],
  ['field_stopped', 'field of the audit log'],
  ['notice', 'a note on a page, as a CSS class'],
])

/** The retired words of a key of public/locales or of a CSS class. */
export function retiredWordsOfKey(key: string): string[] {
  const base = key.replace(/_(?:zero|one|two|few|many|other)$/, '')
  return ALLOWED_KEYS.has(base) ? [] : retiredWords(base)
}

/** Retired phrases, in names of two words. */
const RETIRED_PHRASES = new Map([['by hand', 'manual']])

/** The retired words of a name, each with the standard term; `isPage`: of a file in web/. */
export function retiredWords(name: string, { isPage = false } = {}): string[] {
  if (ALLOWED.has(name)) return []
  const words = wordsOf(name)
  const found = words.flatMap((word) => {
    const term = RETIRED.get(word) ?? (isPage ? RETIRED_IN_PAGES : RETIRED_OUTSIDE_PAGES).get(word)
    return term ? [`${word} (write ${term})`] : []
  })
  const text = ` ${words.join(' ')} `
  const phrases = [...RETIRED_PHRASES].filter(([phrase]) => text.includes(` ${phrase} `))
  return [...found, ...phrases.map(([phrase, term]) => `${phrase} (write ${term})`)]
}

/** The words of camelCase, snake_case, kebab-case and file names, in lower case. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])|([A-Z]+)(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)

function retired(words: string, term: string): [string, string][] {
  return words.split(' ').map((word) => [word, term])
}
