import type { AdvisoryType } from '#shared/advisories/severity.ts'
import { plainText } from './feeds/html.ts'
import { sentences } from './feeds/text.ts'

type SpecificType = Exclude<AdvisoryType, 'general' | 'other'>

/** The fields of an advisory that its types are read from. */
export interface ClassifiableText {
  title: string
  description: string
  detailed_information?: string | null
  /** The wording of the level: "normal security precautions" says nothing about security. */
  original_wording: string
}

/** Why a level is what it is: the rest of the sentence, or the list below it. */
const CAUSES = 'due to|because of|owing to|as a result of|wegen|aufgrund|angesichts|en raison d[eu]'
const CAUSE = new RegExp(`\\b(?:${CAUSES})(?::[\\s\\S]{0,300}|\\b[^.\\n]{0,300})`, 'gi')
const RISK = /\b(?:threats? (?:of|from)|risks? (?:of|from))\b[^.\n]{0,300}/gi

const TYPE_PATTERNS: Record<SpecificType, RegExp> = {
  security: patternOf(
    'crimes?|criminal\\w*|robber\\w*|carjack\\w*|homicides?|murders?|muggings?|assaults?|rape|gangs?|violen\\w+|shootings?|gun(?:fire|men)',
    'terror\\w*|extremis\\w*|bomb\\w*|explosi\\w+|attacks?|hijack\\w*|pira(?:cy|tes?)|insurgen\\w*|militant\\w*|insecurity',
    'civil unrest|unrest|riots?|looting|kidnap\\w*|abduct\\w*|hostages?|wrongful(?:ly)? detention|wrongful(?:ly)? detained|arbitrary (?:arrest|detention|enforcement)\\w*',
    'wars?|warfare|armed conflicts?|conflict|hostilities|military (?:action|operation|activit|conflict)\\w*|airstrikes?|air strikes?|missiles?|drones?|rockets?|shelling|invasion|ceasefire|land ?mines?|unexploded',
    '(?:security|safety) (?:situation|incident|operation|threat)s?|lawlessness|scams?|human trafficking|coup(?: d.état)?|state of emergency|curfews?',
    'kriminalität|gewalt\\w*|überf[aä]ll\\w*|entführung\\w*|krieg\\w*|kampfhandlung\\w*|unruhen|sicherheitslage|anschl[aä]g\\w*|bewaffnete\\w*',
    'criminalité|terrorisme|enlèvements?|guerre|conflit armé|troubles civils|attentats?',
  ),
  health: patternOf(
    'health|healthcare|diseases?|epidemics?|pandemics?|outbreaks?|virus(?:es)?|ebola|marburg|cholera|mal[au]ria|dengue|zika|measles|polio(?:virus)?|mpox|covid(?:-19)?|yellow fever|typhoid|plague|influenza|vaccin\\w*|medical (?:care|facilit|infrastructure|emergenc|suppl)\\w*|air quality|methanol',
    'krankheit\\w*|gesundheit\\w*|medizinische\\w*|epidemien?|santé|maladies?|épidémies?',
  ),
  weather: patternOf(
    'hurricanes?|cyclon\\w*|typhoons?|tropical (?:storm|depression)s?|storms?|tornado\\w*|floods?|flooding|monsoon|heavy (?:rain|snow)\\w*|landslides?|mudslides?|avalanches?|blizzards?|snow(?:fall|storm)\\w*|drought|heatwaves?|extreme (?:heat|cold|weather|temperatures)|the cold|weather|wildfires?|forest fires?|bush ?fires?',
    'natural (?:disaster|hazard|catastrophe)s?|environmental hazards?|earthquakes?|seismic|aftershocks?|tsunamis?|volcan\\w*|eruptions?|lava',
    'hurrikan\\w*|taifun\\w*|zyklon\\w*|überschwemmung\\w*|unwetter\\w*|erdbeben|naturkatastroph\\w*|vulkan\\w*|ouragans?|inondations?|séismes?|tremblements? de terre',
  ),
  political: patternOf(
    'elections?|referendums?|political\\w*|demonstrations?|protests?|protesters?|rall(?:y|ies)|general strikes?|diplomatic relations',
    'wahl(?:en)?|politische\\w*|demonstration(?:en)?|proteste?|streiks?|élections?|manifestations?|politiques?',
  ),
  entry_requirements: patternOf(
    'entry (?:requirement|restriction|rule|ban|permit)s?|visas?|travel bans?|border(?:s| crossings?)? (?:closed|closures?|restrictions?)|borders? [^.\n]{0,60}\\b(?:is|are|remain)\\w* closed|border closures?|passport validity|immigration rules?|quarantine|exit (?:bans?|permits?)',
    'einreise\\w*|visum|visa-\\w+|grenzschließung\\w*|conditions d.entrée',
  ),
  transport: patternOf(
    'airports? (?:is|are|closed|closure|strikes?|disruption)\\w*|airspace|flights? (?:are |were )?(?:cancel\\w*|suspen\\w*|disrupt\\w*)|(?:rail|train|ferry|bus|transport|travel) (?:strikes?|disruptions?|accidents?|safety)|road (?:closures?|conditions|safety|accidents?)|aviation safety|shipwrecks?|ferries',
    'flughafen\\w*|luftraum|flugausfälle?|bahnstreik\\w*|espace aérien',
  ),
}

/**
 * The type columns. `advisory_types` are all types the text names, in order of appearance, those of a note on its latest
 * edit last. `advisory_type` is the reader's own type; without one the first type in the text, if the text says why the
 * level is what it is; if not, "general", so that a subscription to any type receives the advisory.
 */
export function typeColumns(advisory: ClassifiableText & { advisory_type: AdvisoryType }) {
  const { own, note, reasons, lead, isWhole } = partsOf(advisory)
  const [first]: AdvisoryType[] = typesOf(isWhole ? own : matches(CAUSE, `${own}\n${lead}`))
  const advisory_type: AdvisoryType =
    advisory.advisory_type === 'general' ? (first ?? 'general') : advisory.advisory_type
  return { advisory_type, advisory_types: typesOf(`${own}\n${reasons}\n${note}`) }
}

const LONGEST = 20_000
/** The level and its reason are at the start of a text. */
const LEAD = 1_500
/** A text not much longer than the description says nothing else. */
const REMAINDER = 400
const NOTE = 'Latest update: '

/** Title and description without the wording of the level and without the note, and what the full text adds. */
function partsOf({ title, description, detailed_information, original_wording }: ClassifiableText) {
  const detail = plainText(detailed_information ?? '')
  const [before = '', ...after] = description.split(NOTE)
  // Readers put the note before or after the text: a sentence of the text itself is none of the note.
  const [inText, inNote] = split(sentences(after.join(NOTE)), (sentence) => detail.includes(sentence))
  const own = [afterName(title), before, ...inText].join(' ').replaceAll(original_wording || '\u0000', ' ')
  return {
    own,
    note: inNote.join(' '),
    // Long texts mention hospitals, storms and visas whatever their subject: only their reasons are read.
    reasons: `${matches(CAUSE, detail)}\n${matches(RISK, detail)}`,
    lead: detail.slice(0, LEAD),
    isWhole: detail.length <= own.length + REMAINDER,
  }
}

function split<T>(list: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((one) => !test(one))]
}

const matches = (pattern: RegExp, text: string) => text.match(pattern)?.join('\n') ?? ''

function typesOf(text: string): SpecificType[] {
  const looked = text.slice(0, LONGEST)
  return (Object.keys(TYPE_PATTERNS) as SpecificType[])
    .map((type) => ({ type, at: looked.search(TYPE_PATTERNS[type]) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ type }) => type)
}

/** "Ivory Coast: Reconsider Travel" without the country name, which may contain any word. */
const afterName = (title: string) => title.slice(title.indexOf(': ') + 1)

function patternOf(...alternatives: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}
