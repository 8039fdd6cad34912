/** A country or city named in a question. */
export interface Place {
  start: number
  end: number
  /** English name, if a city is named. */
  city: string | null
  /** Possible countries, most likely first. */
  countries: readonly string[]
  /** Ambiguous: the user has to say which. */
  isEither?: boolean
}

/**
 * Drops places that are names of people, and marks a name as open if it stands for two places and the context does not
 * decide. `text` is folded, `raw` is as written.
 */
export function disambiguate(places: readonly Place[], text: string, raw: string): Place[] {
  return places.filter((place) => !isPerson(place, text)).map((place) => amman(either(place, text), places, text, raw))
}

// Given names that are also countries or cities, folded.
const FIRST_NAMES =
  /^(?:jordan|jordania?|chad|georgia|victoria|vitoria|santiago|florence|florencia|charlotte|austin|sofia|sydney|india|kenya|paris|chelsea|carolina|virginia|israel|trinidad|adelaide|alexandria|dakota|cuba|milan|roman|lourdes|valencia|lorenzo|orlando|salvador|angeles)$/

const BEFORE_PERSON =
  /(?:^|[^\p{L}])(?:friend|boss|brother|sister|bro|sis|sir|mr|mrs|ms|maam|madam|cousin|nephew|niece|son|daughter|husband|wife|uncle|aunt|named|called|name is|im|i am|si|kay|kuya|ate|kapatid|kaibigan|amo|amig[oa]|herman[oa]|jefe|jefa|prim[oa]|hij[oa]|espos[oa]|ami|amie|frere|soeur|mari|femme|fils|amic[oa]|fratello|sorella|figli[oa]|marito|moglie|irmao|irma|chefe|filh[oa]|marido|freund|freundin|bruder|schwester|chef|sohn|tochter|mann|frau) (?:called |named )?$/u
const AFTER_PERSON =
  /^(?: and (?:i|me)| y yo| et moi| e io| e eu| und ich)(?!\p{L})|^ (?:is asking|asks|asked|says|said|told|wants|wanted|pregunta|dice|demande|dit|chiede|pergunta|fragt|sagt)(?!\p{L})/u
/** "In Jordan", "a Jordania": a place, not a person. */
const BEFORE_PLACE = /(?:^|[^\p{L}])(?:in|to|from|at|sa|en|a|au|em|no|na|nach|aus)\s$/u

/** Whether the words before a place introduce the name of a person. */
export const isPersonBefore = (text: string, at: number): boolean =>
  BEFORE_PERSON.test(text.slice(Math.max(0, at - 24), at))

function isPerson({ start, end }: Place, text: string): boolean {
  const before = text.slice(Math.max(0, start - 24), start)
  if (!FIRST_NAMES.test(text.slice(start, end)) || BEFORE_PLACE.test(before)) return false
  return BEFORE_PERSON.test(before) || AFTER_PERSON.test(text.slice(end, end + 16))
}

/** Two countries have this name; only short forms in some languages distinguish them. */
const CONGO = /^(?:congo|kongo|刚果|剛果|コンゴ|콩고|(?:ال)?كونغو|(?:ال)?كونجو|कांगो|कोंगो)$/u
const KINSHASA = /[刚剛]果[(（]?(?:金|民主)|kinshasa|金沙萨|キンシャサ|킨샤사|كينشاسا|किंशासा/u
const BRAZZAVILLE = /[刚剛]果(?:[(（]?布|共和)|brazzaville|布拉柴维尔|ブラザビル|브라자빌|برازافيل/u

/** The American state is mentioned with its country or one of its cities. */
const IN_AMERICA = /(?<!\p{L})(?:usa|united states|america|atlanta|savannah|augusta)(?!\p{L})/u

function either(place: Place, text: string): Place {
  if (place.countries[0] === 'GE' && !place.city && IN_AMERICA.test(text)) return { ...place, countries: ['US'] }
  if (!CONGO.test(text.slice(place.start, place.end)) || place.city) return place
  if (KINSHASA.test(text)) return { ...place, countries: ['CD'] }
  if (BRAZZAVILLE.test(text)) return { ...place, countries: ['CG'] }
  return { ...place, countries: ['CD', 'CG'], isEither: true }
}

const AMMAN_OR_OMAN = /^(?:[وف]?[بلك]?)عمان$/u
/** Only the city doubles its middle letter, which is rarely written. */
const AMMAN_WRITTEN_OUT = /عم\u0651\u064E?ان|عَمّ/u
const OF_AMMAN = /اردن|مدين[هة] عمان|الزرقاء|(?<!\p{L})اربد|العقب[هة]/u
const OF_OMAN = /سلطن[هة]|مسقط|صلال[هة]|صحار|نزو[يى]|ظفار|ريال عماني|خليج|عاصم[هة] (?:سلطنه )?عمان/u

/** In Arabic, the city of Amman is spelt like the country of Oman. */
function amman(place: Place, places: readonly Place[], text: string, raw: string): Place {
  if (!AMMAN_OR_OMAN.test(text.slice(place.start, place.end))) return place
  const city: Place = { ...place, city: 'Amman', countries: ['JO'] }
  if (AMMAN_WRITTEN_OUT.test(raw) || /العاصم[هة] عمان/u.test(text)) return city
  const names = (code: string) => places.some((other) => other !== place && other.countries[0] === code)
  if (OF_OMAN.test(text) || names('OM')) return { ...place, city: null, countries: ['OM'] }
  if (OF_AMMAN.test(text) || names('JO')) return city
  return { ...place, city: null, countries: ['OM', 'JO'], isEither: true }
}
