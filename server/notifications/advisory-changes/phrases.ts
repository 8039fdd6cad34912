import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'
import type { Language } from '#shared/language.ts'

/** Specific advisory types. */
export type NamedType = Exclude<AdvisoryType, 'general' | 'other'>

interface Phrases {
  severities: Record<Severity, string>
  urgently: (severity: string) => string
  everywhere: string
  /** Names omitted for lack of space. */
  more: (count: number) => string
  isNew: string
  isBack: string
  escalated: (before: string, after: string) => string
  urgentNow: string
  alsoFor: (countries: string) => string
  types: Record<NamedType, string>
  alsoAbout: (types: string) => string
  instruction: string
  withdrawn: string
  manual: string
  published: (date: string) => string
  inLanguage: (language: string) => string
  /** Introduces an instruction in another language than the recipient's. */
  whatToDo: (language: string) => string
  /** The same, if it tells everyone to leave. */
  leaveNow: (language: string) => string
  /** Used if a source states only its level. */
  ask: string
}

/** "بالإنجليزية" from "الإنجليزية"; a name without the article keeps the word for "language". */
const by = (language: string) => (language.startsWith('ال') ? `ب${language}` : `باللغة ${language}`)

/**
 * Phrases of advisory announcements. English uses only GSM characters, so that a text message does not need twice as
 * many segments.
 */
export const PHRASES: Record<Language, Phrases> = {
  en: {
    severities: {
      emergency: 'Emergency',
      critical: 'Critical',
      warning: 'Warning',
      caution: 'Caution',
      info: 'Information',
    },
    urgently: (severity) => `Urgent, ${severity}`,
    everywhere: 'Worldwide',
    more: (count) => `${count} more`,
    isNew: 'New advisory',
    isBack: 'In force again',
    escalated: (before, after) => `Level raised from ${before} to ${after}`,
    urgentNow: 'Now urgent',
    alsoFor: (countries) => `Now also covers ${countries}`,
    types: {
      security: 'security',
      health: 'health',
      weather: 'weather and natural disasters',
      political: 'politics and protests',
      entry_requirements: 'entry requirements',
      transport: 'transport',
    },
    alsoAbout: (types) => `Now also covers ${types}`,
    instruction: 'Instructions have changed',
    withdrawn: 'Withdrawn: no longer in force',
    manual: 'Please read this advisory again',
    published: (date) => `Published ${date}`,
    inLanguage: (language) => `Source text (in ${language}):`,
    whatToDo: (language) => `What to do (in ${language}):`,
    leaveNow: (language) => `The source says: leave now (in ${language}):`,
    ask: 'Ask your coordinator what to do.',
  },
  ar: {
    severities: { emergency: 'طوارئ', critical: 'خطر شديد', warning: 'تحذير', caution: 'توخّي الحذر', info: 'معلومات' },
    urgently: (severity) => `عاجل، ${severity}`,
    everywhere: 'العالم كله',
    more: (count) => `${count} غيرها`,
    isNew: 'إرشاد سفر جديد',
    isBack: 'عاد إلى السريان',
    escalated: (before, after) => `رُفع المستوى من «${before}» إلى «${after}»`,
    urgentNow: 'أصبح عاجلًا',
    alsoFor: (countries) => `يشمل الآن أيضًا ${countries}`,
    types: {
      security: 'الأمن',
      health: 'الصحة',
      weather: 'الطقس والكوارث الطبيعية',
      political: 'السياسة والاحتجاجات',
      entry_requirements: 'شروط الدخول',
      transport: 'النقل',
    },
    alsoAbout: (types) => `يشمل الآن أيضًا: ${types}`,
    instruction: 'تغيّرت التعليمات',
    withdrawn: 'مسحوب: لم يعد ساريًا',
    manual: 'يُرجى قراءة هذا الإرشاد مرة أخرى',
    published: (date) => `نُشر في ${date}`,
    inLanguage: (language) => `نص المصدر (${language}):`,
    whatToDo: (language) => `المطلوب (${by(language)}):`,
    leaveNow: (language) => `المصدر يدعو إلى المغادرة الآن (${by(language)}):`,
    ask: 'يُرجى سؤال منسّقك.',
  },
}
