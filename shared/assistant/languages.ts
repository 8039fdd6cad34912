/** A language the assistant answers in (000 §3), with its conventions of address. */
export interface AssistantLanguageEntry {
  name: string
  native_name: string
  is_rtl: boolean
  greeting: string
  blessing: string
  /** How strangers are addressed. */
  formality: 'casual' | 'polite' | 'formal'
  /** Respectful forms of address, most common first. */
  honorifics: readonly string[]
  /** ISO 3166 codes of the countries where it is spoken. */
  regions: readonly string[]
  /** The portal's confidence in its own answers in this language, from 0 to 1. */
  confidence: number
}

/** The twelve languages of the specification and their data (000 §3, LANG-01 to LANG-03). */
export const ASSISTANT_LANGUAGES = {
  en: {
    name: 'English',
    native_name: 'English',
    is_rtl: false,
    greeting: 'Hello',
    blessing: 'God bless you',
    formality: 'casual',
    honorifics: ['Brother', 'Sister'],
    regions: ['US', 'GB', 'CA', 'AU', 'NZ', 'IE', 'SG', 'PH'],
    confidence: 1,
  },
  tl: {
    name: 'Tagalog',
    native_name: 'Tagalog',
    is_rtl: false,
    greeting: 'Kumusta po',
    blessing: 'Pagpalain po kayo ng Dios',
    formality: 'polite',
    honorifics: ['po', 'Kapatid', 'Kuya', 'Ate'],
    regions: ['PH'],
    confidence: 1,
  },
  es: {
    name: 'Spanish',
    native_name: 'Español',
    is_rtl: false,
    greeting: 'Hola',
    blessing: 'Dios le bendiga',
    formality: 'polite',
    honorifics: ['Hermano', 'Hermana', 'Señor', 'Señora'],
    regions: ['ES', 'MX', 'CO', 'AR', 'PE', 'CL', 'US'],
    confidence: 0.95,
  },
  ar: {
    name: 'Arabic',
    native_name: 'العربية',
    is_rtl: true,
    greeting: 'مرحبًا',
    blessing: 'بارككم الله',
    formality: 'formal',
    honorifics: ['الأخ', 'الأخت', 'السيد', 'السيدة'],
    regions: ['SA', 'AE', 'QA', 'KW', 'BH', 'OM', 'JO', 'LB', 'EG'],
    confidence: 0.9,
  },
  zh: {
    name: 'Chinese',
    native_name: '中文',
    is_rtl: false,
    greeting: '您好',
    blessing: '愿神祝福您',
    formality: 'polite',
    honorifics: ['弟兄', '姊妹', '先生', '女士'],
    regions: ['CN', 'TW', 'HK', 'MO', 'SG'],
    confidence: 0.88,
  },
  fr: {
    name: 'French',
    native_name: 'Français',
    is_rtl: false,
    greeting: 'Bonjour',
    blessing: 'Que Dieu vous bénisse',
    formality: 'formal',
    honorifics: ['Frère', 'Sœur', 'Monsieur', 'Madame'],
    regions: ['FR', 'BE', 'CH', 'CA', 'LU'],
    confidence: 0.92,
  },
  de: {
    name: 'German',
    native_name: 'Deutsch',
    is_rtl: false,
    greeting: 'Guten Tag',
    blessing: 'Gott segne Sie',
    formality: 'formal',
    honorifics: ['Bruder', 'Schwester', 'Herr', 'Frau'],
    regions: ['DE', 'AT', 'CH', 'LI'],
    confidence: 0.9,
  },
  it: {
    name: 'Italian',
    native_name: 'Italiano',
    is_rtl: false,
    greeting: 'Buongiorno',
    blessing: 'Dio La benedica',
    formality: 'formal',
    honorifics: ['Fratello', 'Sorella', 'Signore', 'Signora'],
    regions: ['IT', 'CH', 'SM'],
    confidence: 0.89,
  },
  ja: {
    name: 'Japanese',
    native_name: '日本語',
    is_rtl: false,
    greeting: 'こんにちは',
    blessing: '神の祝福がありますように',
    formality: 'formal',
    honorifics: ['さん', '様', '兄弟', '姉妹'],
    regions: ['JP'],
    confidence: 0.87,
  },
  ko: {
    name: 'Korean',
    native_name: '한국어',
    is_rtl: false,
    greeting: '안녕하세요',
    blessing: '하나님의 축복이 있기를 바랍니다',
    formality: 'formal',
    honorifics: ['님', '형제님', '자매님'],
    regions: ['KR'],
    confidence: 0.86,
  },
  pt: {
    name: 'Portuguese',
    native_name: 'Português',
    is_rtl: false,
    greeting: 'Olá',
    blessing: 'Deus o abençoe',
    formality: 'polite',
    honorifics: ['Irmão', 'Irmã', 'Senhor', 'Senhora'],
    regions: ['BR', 'PT', 'AO', 'MZ'],
    confidence: 0.91,
  },
  hi: {
    name: 'Hindi',
    native_name: 'हिन्दी',
    is_rtl: false,
    greeting: 'नमस्ते',
    blessing: 'परमेश्वर आपको आशीष दें',
    formality: 'polite',
    honorifics: ['जी', 'भाई', 'बहन'],
    regions: ['IN'],
    confidence: 0.85,
  },
} as const satisfies Record<string, AssistantLanguageEntry>

export type AssistantLanguage = keyof typeof ASSISTANT_LANGUAGES
export const ASSISTANT_LANGUAGE_CODES = Object.keys(ASSISTANT_LANGUAGES) as [AssistantLanguage, ...AssistantLanguage[]]

/** The language of a tag ('pt-BR' is Portuguese), or undefined if the assistant does not support it. */
export function assistantLanguageOf(tag: string | null | undefined): AssistantLanguage | undefined {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0]
  // Devices report Tagalog as Filipino.
  return ASSISTANT_LANGUAGE_CODES.find((code) => code === (primary === 'fil' ? 'tl' : primary))
}

export const directionOfAssistant = (code: AssistantLanguage): 'rtl' | 'ltr' =>
  ASSISTANT_LANGUAGES[code].is_rtl ? 'rtl' : 'ltr'
