import type { AdvisoryType } from '#shared/advisories/severity.ts'
import { plainText } from './feeds/html.ts'

type SpecificType = Exclude<AdvisoryType, 'general' | 'other'>

/** The fields of an advisory that its types are read from. */
export interface ClassifiableText {
  title: string
  description: string
  detailed_information?: string | null
  /** The wording of the level: "normal security precautions" says nothing about security. */
  original_wording: string
}

/** Long texts mention hospitals, storms and visas whatever their subject: only their reasons are read. */
const REASON =
  /\b(?:due to|because of|owing to|threat(?:s)? (?:of|from)|risk of|wegen|aufgrund|en raison d[eu])\b[^.\n]{0,300}/gi

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
    'entry (?:requirement|restriction|rule|ban|permit)s?|visas?|travel bans?|border(?:s| crossings?)? (?:closed|closures?|restrictions?)|borders? (?:is|are|remain)\\w* closed|passport validity|immigration rules?|quarantine|exit (?:bans?|permits?)',
    'einreise\\w*|visum|visa-\\w+|grenzschließung\\w*|conditions d.entrée',
  ),
  transport: patternOf(
    'airports? (?:is|are|closed|closure|strikes?|disruption)\\w*|airspace|flights? (?:are |were )?(?:cancel\\w*|suspen\\w*|disrupt\\w*)|(?:rail|train|ferry|bus|transport|travel) (?:strikes?|disruptions?|accidents?|safety)|road (?:closures?|conditions|safety|accidents?)|aviation safety|shipwrecks?|ferries',
    'flughafen\\w*|luftraum|flugausfälle?|bahnstreik\\w*|espace aérien',
  ),
}

/** Every type the text gives as a reason, in order of appearance; empty if none. */
export function typesIn({
  title,
  description,
  detailed_information,
  original_wording,
}: ClassifiableText): SpecificType[] {
  const summary = `${afterName(title)}\n${description}`.replaceAll(original_wording || '\u0000', ' ')
  const reasons =
    plainText(detailed_information ?? '')
      .match(REASON)
      ?.join('\n') ?? ''
  const text = `${summary}\n${reasons}`.slice(0, LONGEST)
  return (Object.keys(TYPE_PATTERNS) as SpecificType[])
    .map((type) => ({ type, at: text.search(TYPE_PATTERNS[type]) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ type }) => type)
}

/** The type columns: the reader's own type wins, except that "general" yields to the first type found in the text. */
export function typeColumns(item: ClassifiableText & { advisory_type: AdvisoryType }) {
  const advisory_types = typesIn(item)
  const [first] = advisory_types
  return { advisory_type: item.advisory_type === 'general' && first ? first : item.advisory_type, advisory_types }
}

const LONGEST = 20_000

/** "Ivory Coast: Reconsider Travel" without the country name, which may contain any word. */
const afterName = (title: string) => title.slice(title.indexOf(': ') + 1)

function patternOf(...alternatives: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}
