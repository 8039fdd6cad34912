import { createContext, type ReactNode, use, useContext, useMemo } from 'react'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '#shared/language.ts'

/**
 * The namespaces of public/locales; the English files define the keys. A page lists those it needs besides common,
 * whose keys are available in every namespace. `phrases` is for loaders only.
 */
export interface Namespaces {
  common: typeof import('../../public/locales/en/common.json')
  advisories: typeof import('../../public/locales/en/advisories.json')
  advisory: typeof import('../../public/locales/en/advisory.json')
  phrases: typeof import('../../public/locales/en/phrases.json')
  countries: typeof import('../../public/locales/en/countries.json')
  maps: typeof import('../../public/locales/en/maps.json')
  charts: typeof import('../../public/locales/en/charts.json')
  emergency: typeof import('../../public/locales/en/emergency.json')
  churches: typeof import('../../public/locales/en/churches.json')
  church: typeof import('../../public/locales/en/church.json')
  localePhrases: typeof import('../../public/locales/en/localePhrases.json')
  content: typeof import('../../public/locales/en/content.json')
  accounts: typeof import('../../public/locales/en/accounts.json')
  signInChanges: typeof import('../../public/locales/en/signInChanges.json')
  profile: typeof import('../../public/locales/en/profile.json')
  dashboard: typeof import('../../public/locales/en/dashboard.json')
  admin: typeof import('../../public/locales/en/admin.json')
  users: typeof import('../../public/locales/en/users.json')
  backup: typeof import('../../public/locales/en/backup.json')
  manageChurches: typeof import('../../public/locales/en/manageChurches.json')
  manage: typeof import('../../public/locales/en/manage.json')
  settings: typeof import('../../public/locales/en/settings.json')
  announcements: typeof import('../../public/locales/en/announcements.json')
  outbox: typeof import('../../public/locales/en/outbox.json')
  churchForms: typeof import('../../public/locales/en/churchForms.json')
  care: typeof import('../../public/locales/en/care.json')
  importChurches: typeof import('../../public/locales/en/importChurches.json')
  imports: typeof import('../../public/locales/en/imports.json')
  notifications: typeof import('../../public/locales/en/notifications.json')
  unsubscribe: typeof import('../../public/locales/en/unsubscribe.json')
  subscriptions: typeof import('../../public/locales/en/subscriptions.json')
  status: typeof import('../../public/locales/en/status.json')
  cases: typeof import('../../public/locales/en/cases.json')
  assistantAdmin: typeof import('../../public/locales/en/assistantAdmin.json')
  pdos: typeof import('../../public/locales/en/pdos.json')
  faq: typeof import('../../public/locales/en/faq.json')
  rollCalls: typeof import('../../public/locales/en/rollCalls.json')
  signIns: typeof import('../../public/locales/en/signIns.json')
  rollCallAnswer: typeof import('../../public/locales/en/rollCallAnswer.json')
  assistant: typeof import('../../public/locales/en/assistant.json')
  forms: typeof import('../../public/locales/en/forms.json')
}
export type Namespace = keyof Namespaces

type PluralSuffix = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other'
type Base<K> = K extends `${infer B}${PluralSuffix}` ? B | K : K
export type Key<N extends Namespace> = Base<keyof (Namespaces[N] & Namespaces['common']) & string>

type Messages = Record<string, string>
export type Parameters = Record<string, string | number>
export type Translate<N extends Namespace> = (key: Key<N>, parameters?: Parameters) => string

const LanguageContext = createContext<Language>(DEFAULT_LANGUAGE)

export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  return <LanguageContext value={language}>{children}</LanguageContext>
}

export const useLanguage = () => useContext(LanguageContext)

/** The texts of one namespace in the page's language. Suspends in the browser until they are loaded. */
export function useT<N extends Namespace>(namespace: N): Translate<N> {
  const language = useLanguage()
  const messages = use(load(language, namespace))
  return useMemo(() => translator(language, namespace, messages), [language, namespace, messages])
}

/** A `t` for use outside components, over previously registered messages. */
export function translator<N extends Namespace>(language: Language, namespace: N, messages?: Messages): Translate<N> {
  const own = [messages ?? textsOf(language, namespace), textsOf(language, 'common')]
  const english = [textsOf(DEFAULT_LANGUAGE, namespace), textsOf(DEFAULT_LANGUAGE, 'common')]
  return (key, parameters) => {
    // Each language by its own plural rules: 7 is `one` in Tagalog.
    const find = (files: Messages[], reader: Language) => {
      const keys = formsOf(reader, key, parameters?.count)
      return files.flatMap((file) => keys.map((form) => file[form])).find((found) => found !== undefined)
    }
    const text = find(own, language) ?? find(english, DEFAULT_LANGUAGE) ?? key
    return parameters ? text.replace(/\{\{(\w+)\}\}/g, (_, name) => String(parameters[name] ?? '')) : text
  }
}

const plurals = new Map(LANGUAGES.map((language) => [language, new Intl.PluralRules(language)]))

/** The keys under which a text may be, the plural form first. */
function formsOf(language: Language, key: string, count: string | number | undefined): string[] {
  if (typeof count !== 'number') return [key]
  return [`${key}_${plurals.get(language)?.select(count)}`, `${key}_other`, key]
}

type LoadingMessages = Promise<Messages> & { status?: 'fulfilled'; value?: Messages }

const texts = new Map<string, Messages>()
const loading = new Map<string, LoadingMessages>()
const textsOf = (language: Language, namespace: Namespace): Messages => texts.get(`${language}/${namespace}`) ?? {}

const files = import.meta.env.SSR
  ? {}
  : import.meta.glob<Messages>('../../public/locales/*/*.json', { import: 'default' })

/** Registers texts before rendering: all of them on the server, those of the first page in the browser. */
export function registerMessages(language: string, namespace: string, messages: Messages) {
  const name = `${language}/${namespace}`
  texts.set(name, messages)
  // Mark the promise as fulfilled for React's `use`, so that reading it does not suspend.
  const done: LoadingMessages = Promise.resolve(messages)
  done.status = 'fulfilled'
  done.value = messages
  loading.set(name, done)
}

/** Fetches one namespace once; a failed fetch is retried by the next caller. */
export function load(language: Language, namespace: Namespace): Promise<Messages> {
  const name = `${language}/${namespace}`
  const known = loading.get(name)
  if (known) return known
  const file = files[`../../public/locales/${name}.json`]
  const promise: LoadingMessages = (file ? file() : loadEnglish(language, namespace)).then((messages) => {
    registerMessages(language, namespace, messages)
    return messages
  })
  promise.catch(() => loading.delete(name))
  loading.set(name, promise)
  return promise
}

/** Without texts in this language, `translator` needs the English ones. */
async function loadEnglish(language: Language, namespace: Namespace): Promise<Messages> {
  if (language !== DEFAULT_LANGUAGE) await load(DEFAULT_LANGUAGE, namespace)
  return {}
}
